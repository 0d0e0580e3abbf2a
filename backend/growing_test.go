package backend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"palimpsest/backend/corpus"
	"palimpsest/backend/library"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/pi"
)

// staying is a program that stays and looks at a machine with one other agent.
func staying(t *testing.T, home string, source sources.Source) *Backend {
	t.Helper()
	b, err := Open(Options{
		Home: t.TempDir(), UserHome: home, Cache: t.TempDir(), Sources: []sources.Source{source}, Resident: true,
		Warn: func(err error) { t.Error(err) },
	})
	newsMust(t, err)
	t.Cleanup(b.Close)
	return b
}

// whatIsRead is all that a reading holds, and what is told of it.
type whatIsRead struct {
	Log     string
	Blobs   []string
	Outline Outline
	Meta    session.Metadata
	grew    bool
}

func readNow(t *testing.T, b *Backend, id string) whatIsRead {
	t.Helper()
	ref, err := library.ParseRef(id)
	newsMust(t, err)
	_, err = b.library.List(t.Context())
	newsMust(t, err)
	r, err := b.library.Read(t.Context(), ref)
	newsMust(t, err)
	outline, err := b.Outline(id)
	newsMust(t, err)
	store := b.library.Store()
	log, err := os.ReadFile(store.LogPath(r.ID))
	newsMust(t, err)
	meta, err := store.Metadata(r.ID)
	newsMust(t, err)
	meta.ID = "" // it tells when it was made of
	out := whatIsRead{Log: string(log), Outline: outline, Meta: meta, grew: r.Grew != ""}
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(store.LogPath(r.ID)), "blobs", "*"))
	for _, name := range names {
		out.Blobs = append(out.Blobs, filepath.Base(name))
	}
	return out
}

// growable is a session of a source, alone in a home, that can be given more and more of its lines.
type growable struct {
	t     *testing.T
	home  string
	id    string
	path  string
	lines [][]byte
}

func newGrowable(t *testing.T, made corpus.Made, source sources.Source) *growable {
	t.Helper()
	var one sources.Found
	env := sources.Env{Home: made.Home, Getenv: func(string) string { return "" }, GOOS: "linux", Temp: t.TempDir()}
	newsMust(t, source.Find(t.Context(), env, func(f sources.Found) error {
		if f.Bytes > one.Bytes {
			one = f
		}
		return nil
	}))
	text, err := os.ReadFile(one.Files[0])
	newsMust(t, err)
	below, err := filepath.Rel(made.Home, one.Files[0])
	newsMust(t, err)
	home := t.TempDir()
	g := &growable{t, home, source.Agent() + ":" + one.ID, filepath.Join(home, below), bytes.SplitAfter(text, []byte("\n"))}
	newsMust(t, os.MkdirAll(filepath.Dir(g.path), 0o700))
	return g
}

// to is all but the last lines.
func (g *growable) to(less int) {
	newsMust(g.t, os.WriteFile(g.path, bytes.Join(g.lines[:len(g.lines)-less], nil), 0o600))
}

func (g *growable) text() string { return string(bytes.Join(g.lines, nil)) }

// TestAReadingGrows: of a session that goes on while it is looked at, only what is new is read, and what is read then is what it would be
// had all been; a file that was written anew is read anew.
func TestAReadingGrows(t *testing.T) {
	t.Parallel()
	made, err := corpus.Make(t.TempDir(), corpus.Options{Sessions: 10, Bytes: 600 << 10, Seed: 5})
	newsMust(t, err)
	for _, source := range []sources.Follower{claudecode.Source{}, codex.Source{}, pi.Source{}} {
		t.Run(source.Agent(), func(t *testing.T) {
			g := newGrowable(t, made, source)
			b := staying(t, g.home, source)
			grew := 0
			const steps = 8
			for step := range steps {
				g.to((steps - step - 1) * 3)
				got, want := readNow(t, b, g.id), readNow(t, staying(t, g.home, source), g.id)
				if got.grew {
					grew++
				}
				if got.grew = false; !reflect.DeepEqual(got, want) {
					t.Fatalf("step %d:\n%s\n%s", step, jsonOf(got), jsonOf(want))
				}
			}
			if grew < steps/2 {
				t.Errorf("it was read on only %d times", grew)
			}
			newsMust(t, os.WriteFile(g.path, []byte(strings.ReplaceAll(g.text(), " ", "  ")), 0o600))
			got, want := readNow(t, b, g.id), readNow(t, staying(t, g.home, source), g.id)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("written anew:\n%s\n%s", jsonOf(got), jsonOf(want))
			}
		})
	}
}

func jsonOf(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// TestALargeSessionGoesOn: what is appended to one that is looked at is told at once, without another excerpt, whatever became of the cache.
func TestALargeSessionGoesOn(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	const count = 1200
	writePi(t, home, longPi(count))
	b := residing(t, home, t.TempDir(), t.TempDir())
	total, parent := 0, fmt.Sprintf("m%d", count-1)
	for n := range 4 {
		if n == 2 {
			newsMust(t, os.RemoveAll(b.library.Store().Home()))
		}
		newest, err := b.Opening(t.Context(), large, 500)
		newsMust(t, err)
		if n > 0 && n != 2 && (newest.Excerpt != nil || newest.Total != total+1) {
			t.Errorf("%d: %d records, %+v", n, newest.Total, newest.Excerpt)
		}
		page, err := b.Page(large, PageOptions{}) // waits for all of it
		newsMust(t, err)
		if n > 0 && page.Total != total+1 {
			t.Errorf("%d: %d records", n, page.Total)
		}
		total = page.Total
		path := filepath.Join(home, filepath.FromSlash(piPlace))
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		newsMust(t, err)
		_, err = fmt.Fprintf(file, `{"type":"message","id":"n%d","parentId":%q,"timestamp":"2026-01-02T10:00:01.000Z","message":{"role":"user","content":"more"}}`+"\n", n, parent)
		parent = fmt.Sprintf("n%d", n)
		newsMust(t, errors.Join(err, file.Close()))
	}
}

// TestAnEditThatComesWithAnAppend: what was edited in the middle of a large file, and appended to before anybody looked, is found when somebody
// opens the session the next time, in this program or another one.
func TestAnEditThatComesWithAnAppend(t *testing.T) {
	t.Parallel()
	for _, next := range []string{"opened again", "another program"} {
		t.Run(next, func(t *testing.T) {
			home, cache := t.TempDir(), t.TempDir()
			text := longPi(400)
			writePi(t, home, text)
			b := residing(t, home, t.TempDir(), cache)
			awaitIndex(t, b, "scanned", ready(1))
			b.indexing.scanner.Pause()
			b.Attend(large, "one")
			readNow(t, b, large)
			more := strings.NewReplacer(`"h"`, `"m400"`, `"g"`, `"m399"`).Replace(piMore)
			at := len(text) / 2
			edited := text[:at] + strings.Replace(text[at:], "xxxx", "edit", 1)
			file, err := os.OpenFile(filepath.Join(home, filepath.FromSlash(piPlace)), os.O_WRONLY, 0)
			newsMust(t, err)
			_, err = file.WriteString(edited + more)
			newsMust(t, errors.Join(err, file.Close()))
			if got := readNow(t, b, large); !got.grew || !strings.Contains(got.Log, "grown") {
				t.Fatal("what was appended is not read")
			}
			if next == "another program" {
				b.Close()
				b = residing(t, home, t.TempDir(), cache)
				b.Attend(large, "other")
			} else {
				newsMust(t, b.Leave(large, "one"))
				b.Attend(large, "one")
			}
			if got := readNow(t, b, large); !strings.Contains(got.Log, "edit") || !strings.Contains(got.Log, "grown") {
				t.Error("the session is what it was")
			}
		})
	}
}
