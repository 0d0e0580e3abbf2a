package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/index"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

// vanishing is a home with sessions of pi's, of which some vanish.
type vanishing struct {
	*testing.T
	home, cache, ours string
	told              []string
}

func newVanishing(t *testing.T) *vanishing {
	v := &vanishing{T: t, home: t.TempDir(), cache: t.TempDir(), ours: t.TempDir()}
	writePi(t, v.home, piSession())
	return v
}

func (v *vanishing) open() *Backend {
	v.Helper()
	b, err := Open(Options{
		Home: v.ours, UserHome: v.home, Cache: v.cache, Sources: []sources.Source{pi.Source{}}, Warn: func(err error) { v.told = append(v.told, err.Error()) },
	})
	newsMust(v.T, err)
	v.Cleanup(b.Close)
	return b
}

func (v *vanishing) file() string { return filepath.Join(v.home, filepath.FromSlash(piPlace)) }
func (v *vanishing) dir() string  { return indexDir(v.cache, v.ours) }

// twice are the sessions in the second index.
func (v *vanishing) twice() map[string]index.Session {
	v.Helper()
	x, err := index.Open(filepath.Join(v.dir(), secondName), index.OpenOptions{})
	newsMust(v.T, err)
	defer x.Close()
	rows, err := x.Stamps(context.Background())
	newsMust(v.T, err)
	return rows
}

// is checks that a program lists the session, as one whose files are gone or not, and finds what was said in it.
func (v *vanishing) is(b *Backend, gone bool, hits int) {
	v.Helper()
	all, err := b.List(v.Context(), ListOptions{})
	if err != nil || len(all) != 1 || all[0].Gone != gone {
		v.Errorf("%+v, %v", all, err)
	}
	found, err := b.Search(v.Context(), SearchOptions{Text: "third"})
	if err != nil || len(found.Hits) != hits {
		v.Errorf("%+v, %v", found, err)
	}
}

// outlives checks that the session is there, and what was said in it, once the program has ended and its index was emptied, and
// returns the next one.
func (v *vanishing) outlives(b *Backend) (next *Backend) {
	v.Helper()
	b.Close()
	newsMust(v.T, os.Truncate(filepath.Join(v.dir(), "index.db"), 0))
	next = v.open()
	newsMust(v.T, next.Scan(v.Context(), false, nil))
	v.is(next, true, 1)
	return next
}

// TestSecondIsSettled: what a program that was killed, or whose disk was full, did not put into the second index is put there by the next;
// and what came back while nobody looked is taken out.
func TestSecondIsSettled(t *testing.T) {
	v := newVanishing(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	text, err := os.ReadFile(v.file())
	newsMust(t, err)
	newsMust(t, os.Remove(v.file()))
	newsMust(t, b.Scan(t.Context(), false, nil))
	b.Close()
	newsMust(t, os.RemoveAll(filepath.Join(v.dir(), secondName)))

	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	b.Close()
	if rows := v.twice(); len(rows) != 1 || !rows["pi:s1"].Gone {
		t.Fatalf("%+v", rows)
	}
	newsMust(t, os.Truncate(filepath.Join(v.dir(), "index.db"), 0))
	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	v.is(b, true, 1)
	newsMust(t, os.WriteFile(v.file(), text, 0o600))
	newsMust(t, b.Scan(t.Context(), false, nil))
	v.is(b, false, 1)
	b.Close()

	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	b.Close()
	if rows := v.twice(); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	newsMust(t, os.Truncate(filepath.Join(v.dir(), "index.db"), 0))
	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	v.is(b, false, 1)
}

// TestSecondIsBounded: of what there is no room for in the second index, the row is kept, and that its texts are lost is told. Where its
// file comes back, it is read.
func TestSecondIsBounded(t *testing.T) {
	v := newVanishing(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	b.indexing.stock.second.most = 1
	text, err := os.ReadFile(v.file())
	newsMust(t, err)
	newsMust(t, os.Remove(v.file()))
	newsMust(t, b.Scan(t.Context(), false, nil))
	v.is(b, true, 1)
	b.Close()
	newsMust(t, os.Truncate(filepath.Join(v.dir(), "index.db"), 0))

	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	v.is(b, true, 0)
	status, err := b.IndexStatus(t.Context())
	size, failed := b.indexing.index.Size(t.Context())
	if failed != nil || status.DiskBytes <= size.Disk {
		t.Errorf("%d bytes, of which the index has %d, %v", status.DiskBytes, size.Disk, failed)
	}
	if err != nil || len(status.Skipped) != 2 || status.Skipped[0].Reason != "unreadable" || status.Skipped[1].Reason != skippedGone {
		t.Errorf("%+v, %v", status.Skipped, err)
	}
	newsMust(t, os.WriteFile(v.file(), text, 0o600))
	newsMust(t, b.Scan(t.Context(), false, nil))
	v.is(b, false, 1)
}

// TestSecondForTwo: of two programs that are open when the index is emptied or deleted under them, both list and find what was in it.
func TestSecondForTwo(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"emptied": func(path string) error { return os.Truncate(path, 0) },
		"deleted": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			v := newVanishing(t)
			one, other := v.open(), v.open()
			scanNow(t, one, "pi:s1")
			newsMust(t, os.Remove(v.file()))
			for _, b := range []*Backend{one, other} {
				newsMust(t, b.Scan(t.Context(), false, nil))
				v.is(b, true, 1)
			}
			newsMust(t, harm(filepath.Join(v.dir(), "index.db")))
			for _, b := range []*Backend{one, other} {
				newsMust(t, b.Scan(t.Context(), false, nil))
			}
			v.is(one, true, 1)
			v.is(other, true, 1)
		})
	}
}

// TestSecondGoesOn: what was not put back when that was ended is put back by the next scan, and by another program.
func TestSecondGoesOn(t *testing.T) {
	v := newVanishing(t)
	for _, id := range []string{"s2", "s3"} {
		writePiAs(t, v.home, id)
	}
	b := v.open()
	scanNow(t, b, "pi:s3")
	newsMust(t, os.RemoveAll(filepath.Dir(v.file())))
	newsMust(t, os.MkdirAll(filepath.Dir(v.file()), 0o700))
	newsMust(t, b.Scan(t.Context(), false, nil))
	b.Close()
	newsMust(t, os.Truncate(filepath.Join(v.dir(), "index.db"), 0))

	ended, passed := errors.New("ended"), 0
	gone := func(b *Backend) int {
		n := 0
		newsMust(t, b.indexing.index.EachSession(t.Context(), func(s *index.Session) {
			if s.Gone {
				n++
			}
		}))
		return n
	}
	for _, want := range []int{1, 2} {
		b = v.open()
		_, err := b.openIndex()
		newsMust(t, err)
		passed = 0
		if err := b.indexing.stock.Restore(t.Context(), func() error {
			if passed++; passed > 1 {
				return ended
			}
			return nil
		}); !errors.Is(err, ended) || gone(b) != want {
			t.Errorf("%d are back, not %d: %v", gone(b), want, err)
		}
		b.Close()
	}
	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	if gone(b) != 3 {
		t.Errorf("%d are back", gone(b))
	}
	if rows := v.twice(); len(rows) != 3 {
		t.Errorf("%d are kept twice", len(rows))
	}
}

// writePiAs writes the session of pi's under another id.
func writePiAs(t *testing.T, home, id string) {
	t.Helper()
	sourcetest.Write(t, home, strings.Replace(piPlace, "_s1", "_"+id, 1), strings.Replace(piSession(), `"id":"s1"`, `"id":"`+id+`"`, 1))
}
