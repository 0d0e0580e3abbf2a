package backend

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"palimpsest/backend/corpus"
	"palimpsest/backend/library"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/pi"
)

// counting counts how often a session was read from the beginning.
type counting struct {
	sources.Follower
	times atomic.Int64
}

func (c *counting) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	c.times.Add(1)
	return c.Follower.Read(ctx, env, found, log)
}

func (c *counting) Follow(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	c.times.Add(1)
	return c.Follower.Follow(ctx, env, found, log)
}

// scanOf is a program that scans a machine when it is told to.
func scanOf(t *testing.T, home, cache string, source sources.Source) *Backend {
	t.Helper()
	b, err := Open(Options{Home: t.TempDir(), UserHome: home, Cache: cache, Sources: []sources.Source{source}, Warn: func(err error) { t.Error(err) }})
	newsMust(t, err)
	t.Cleanup(b.Close)
	return b
}

func scanNow(t *testing.T, b *Backend, id string) []byte {
	t.Helper()
	newsMust(t, b.Scan(t.Context(), false, nil))
	row, there, err := b.indexing.index.Session(t.Context(), id)
	if err != nil || !there {
		t.Fatal(there, err)
	}
	return row.Digest
}

// TestWhatIsAppendedIsRead: of a session of another agent that is appended to, only that is read, and the index is what it would be had all
// been read; a file that was written anew is read anew.
func TestWhatIsAppendedIsRead(t *testing.T) {
	t.Parallel()
	made, err := corpus.Make(t.TempDir(), corpus.Options{Sessions: 10, Bytes: 600 << 10, Seed: 5})
	newsMust(t, err)
	for _, source := range []sources.Follower{claudecode.Source{}, codex.Source{}, pi.Source{}} {
		t.Run(source.Agent(), func(t *testing.T) {
			g := newGrowable(t, made, source)
			home, id, path := g.home, g.id, g.path
			counted := &counting{Follower: source}
			b := scanOf(t, home, t.TempDir(), counted)
			const steps = 6
			for step := range steps {
				g.to((steps - step - 1) * 3)
				got := scanNow(t, b, id)
				if want := scanNow(t, scanOf(t, home, t.TempDir(), source), id); !bytes.Equal(got, want) {
					t.Fatalf("step %d:\n%s\n%s", step, got, want)
				}
			}
			if n := counted.times.Load(); n >= steps {
				t.Errorf("it was read from the beginning %d times", n)
			}
			before := counted.times.Load()
			newsMust(t, os.WriteFile(path, []byte(strings.ReplaceAll(g.text(), " ", "  ")), 0o600))
			got := scanNow(t, b, id)
			if want := scanNow(t, scanOf(t, home, t.TempDir(), source), id); !bytes.Equal(got, want) || counted.times.Load() == before {
				t.Errorf("written anew:\n%s\n%s", got, want)
			}
		})
	}
}

// TestAReadingThatGrewIsReadOn: of a session that is looked at, the reading that grew of the one before is not compared with it: what stands
// before the last message of a person is not read.
func TestAReadingThatGrewIsReadOn(t *testing.T) {
	const id = "pi:s1"
	home := t.TempDir()
	writePi(t, home, piSession()+piMore)
	b := staying(t, home, pi.Source{})
	awaitIndex(t, b, "scanned", ready(1))
	b.indexing.scanner.Pause()
	stock, ids := b.indexing.stock, "hijklm"
	for n := range len(ids) - 1 {
		text := strings.NewReplacer(`"h"`, strconv.Quote(ids[n+1:n+2]), `"g"`, strconv.Quote(ids[n:n+1])).Replace(piMore)
		add(t, filepath.Join(home, filepath.FromSlash(piPlace)), text)
		before := readNow(t, b, id)
		ref, err := library.ParseRef(id)
		newsMust(t, err)
		reading, err := b.library.Read(t.Context(), ref)
		newsMust(t, err)
		log := b.library.Store().LogPath(reading.ID)
		if compared := n < 2; !compared { // the first was read before there was a reading, and the second begins with one that was
			newsMust(t, os.WriteFile(log, []byte("x"+before.Log[1:]), 0o600))
		}
		listing, err := stock.List(t.Context(), nil)
		newsMust(t, err)
		newsMust(t, stock.Read(t.Context(), listing.Items[0], func() error { return nil }))
		newsMust(t, os.WriteFile(log, []byte(before.Log), 0o600))
		row, _, err := b.indexing.index.Session(t.Context(), id)
		newsMust(t, err)
		if want := scanNow(t, scanOf(t, home, t.TempDir(), pi.Source{}), id); !bytes.Equal(row.Digest, want) {
			t.Errorf("%d: grown %v\n%s\n%s", n, before.grew, row.Digest, want)
		}
	}
}

// TestOursLeaveTheirsFollowed: however many of ours change, of a session of another agent only what is appended is read; and of one of ours
// nothing is kept before something was appended to it.
func TestOursLeaveTheirsFollowed(t *testing.T) {
	const id = "pi:s1"
	home := t.TempDir()
	counted := &counting{Follower: pi.Source{}}
	b := scanOf(t, home, t.TempDir(), counted)
	appended := func(name, parent string) {
		add(t, filepath.Join(home, filepath.FromSlash(piPlace)), strings.NewReplacer(`"h"`, name, `"g"`, parent).Replace(piMore))
	}
	writePi(t, home, piSession())
	scanNow(t, b, id)
	appended(`"h"`, `"g"`)
	scanNow(t, b, id)
	before := counted.times.Load()
	var ours []string
	for range followedMost {
		ours = append(ours, newsSession(t, b))
	}
	grown := &b.indexing.stock.grown
	for _, kept := range []int{0, followedMost} {
		for _, id := range ours {
			_, err := b.Append(t.Context(), id, strings.NewReader(`{"recordType":"message","role":"user","content":[{"type":"text","text":"x"}]}`))
			newsMust(t, err)
		}
		newsMust(t, b.Scan(t.Context(), false, nil))
		if len(grown.all) != kept {
			t.Errorf("%d of ours are kept, not %d", len(grown.all), kept)
		}
	}
	appended(`"i"`, `"h"`)
	scanNow(t, b, id)
	if n := counted.times.Load() - before; n > 0 {
		t.Errorf("it was read from its beginning %d times", n)
	}
}

// TestTwoProgramsThatReadOn: what was appended is in the index once, also if another program was faster.
func TestTwoProgramsThatReadOn(t *testing.T) {
	home, cache, own := t.TempDir(), t.TempDir(), t.TempDir()
	program := func() *Backend {
		b, err := Open(Options{Home: own, UserHome: home, Cache: cache, Sources: []sources.Source{pi.Source{}}, Warn: func(err error) { t.Error(err) }})
		newsMust(t, err)
		t.Cleanup(b.Close)
		return b
	}
	const id = "pi:s1"
	slow, fast := program(), program()
	writePi(t, home, piSession())
	more := strings.NewReplacer(`"h"`, `"i"`, `"g"`, `"h"`, "grown", "taller").Replace(piMore)
	for _, text := range []string{piSession() + piMore, piSession() + piMore + more} {
		scanNow(t, slow, id)
		scanNow(t, fast, id)
		writePi(t, home, text)
		stock := slow.indexing.stock
		listing, err := stock.List(t.Context(), nil)
		newsMust(t, err)
		passed := false
		newsMust(t, stock.Read(t.Context(), listing.Items[0], func() error {
			if !passed {
				passed = true
				scanNow(t, fast, id)
			}
			return nil
		}))
		if !passed {
			t.Fatal("nobody was faster")
		}
	}
	whole := scanOf(t, home, t.TempDir(), pi.Source{})
	scanNow(t, whole, id)
	got, err := slow.indexing.index.Size(t.Context())
	newsMust(t, err)
	want, err := whole.indexing.index.Size(t.Context())
	newsMust(t, err)
	if got.Text != want.Text {
		t.Errorf("%d bytes of text in the index, and of the whole %d", got.Text, want.Text)
	}
}

// TestChangedInItsMiddle: a file that has another text and the same length is read anew, also if it was read on in before.
func TestChangedInItsMiddle(t *testing.T) {
	home := t.TempDir()
	long := strings.Replace(piMore, "grown", strings.Repeat("long ", 2000), 1)
	text := piSession() + long
	b := scanOf(t, home, t.TempDir(), pi.Source{})
	for _, text := range []string{text, text + strings.NewReplacer(`"h"`, `"i"`, `"g"`, `"h"`).Replace(long)} {
		writePi(t, home, text)
		scanNow(t, b, "pi:s1")
	}
	newer := []byte(strings.Replace(text+strings.NewReplacer(`"h"`, `"i"`, `"g"`, `"h"`).Replace(long), "first", "burst", 1))
	file, err := os.OpenFile(filepath.Join(home, filepath.FromSlash(piPlace)), os.O_WRONLY, 0)
	newsMust(t, err)
	_, err = file.Write(newer)
	newsMust(t, err)
	newsMust(t, file.Close())
	scanNow(t, b, "pi:s1")
	if n := hits(t, b, "burst"); n != 1 {
		t.Errorf("what is new is in the index %d times", n)
	}

	// Edited early in place, and appended to before anybody looks.
	scanAppended := func(text string) {
		writePi(t, home, text)
		scanNow(t, b, "pi:s1")
	}
	next := strings.NewReplacer(`"h"`, `"j"`, `"g"`, `"i"`).Replace(long)
	scanAppended(string(newer) + next)
	same := strings.Replace(string(newer), "burst", "worst", 1) + next
	scanAppended(same + strings.NewReplacer(`"j"`, `"k"`, `"i"`, `"j"`).Replace(next))
	if n, old := hits(t, b, "worst"), hits(t, b, "burst"); n != 1 || old != 0 {
		t.Errorf("edited and appended to: %d times, and %d times as it was", n, old)
	}
}

// TestWhatOthersReadIsNotReadAgain: who goes on after a pause reads nothing that another program has read meanwhile.
func TestWhatOthersReadIsNotReadAgain(t *testing.T) {
	home, cache, own := t.TempDir(), t.TempDir(), t.TempDir()
	writePi(t, home, piSession())
	program := func(source sources.Source) *Backend {
		b, err := Open(Options{Home: own, UserHome: home, Cache: cache, Sources: []sources.Source{source}, Warn: func(err error) { t.Error(err) }})
		newsMust(t, err)
		t.Cleanup(b.Close)
		return b
	}
	counted := &counting{Follower: pi.Source{}}
	paused := program(counted)
	_, err := paused.openIndex()
	newsMust(t, err)
	stock := paused.indexing.stock
	listing, err := stock.List(t.Context(), nil)
	newsMust(t, err)
	scanNow(t, program(pi.Source{}), "pi:s1")
	newsMust(t, stock.Read(t.Context(), listing.Items[0], func() error { return nil }))
	if n := counted.times.Load(); n != 0 {
		t.Errorf("it was read %d times more", n)
	}
}
