package backend

import (
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"palimpsest/backend/heaptest"
	"palimpsest/backend/session"
	"palimpsest/backend/sources/pi"
)

// TestAScanHoldsLittle: of a session of ours that was listed no more is held than when something was last said in it, whatever its metadata says.
func TestAScanHoldsLittle(t *testing.T) {
	const sessions, most = 200, 400 // bytes of a session
	b := ashore(t, t.TempDir(), t.TempDir(), t.TempDir(), pi.Source{})
	_, err := b.openIndex()
	newsMust(t, err)
	list := func() {
		t.Helper()
		listing, err := b.indexing.stock.List(t.Context(), nil)
		newsMust(t, err)
		clear(listing.Items)
	}
	list() // what there is once is there
	for range sessions {
		_, err := b.store.Import(session.New{Name: strings.Repeat("a name ", 50)}, []byte(said(1, "user", strings.Repeat("said ", 40))))
		newsMust(t, err)
	}
	before := heaptest.InUse()
	list()
	if held := (heaptest.InUse() - before) / sessions; held > most {
		t.Errorf("%d bytes are held of a session", held)
	}
	runtime.KeepAlive(b)
}

// TestWhoAsksOnceHoldsNothing: a program that does one thing holds no digests once it was told how far the index is, and hears the same of what is
// not searched as one that stays.
func TestWhoAsksOnceHoldsNothing(t *testing.T) {
	home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
	several(t, home, 3)
	writePi(t, home, strings.Replace(piSession(), "\n", "\nnot JSON\n", 1))
	b := ashore(t, home, own, cache, pi.Source{})
	newsMust(t, b.Scan(t.Context(), false, nil))
	once, err := b.IndexStatus(t.Context())
	if err != nil || len(once.Skipped) != 1 || once.Skipped[0].Count != 1 {
		t.Errorf("%+v, %v", once, err)
	}
	if b.indexing.stock.known.all != nil {
		t.Error("all digests are held")
	}
	all, err := b.digests(t.Context())
	newsMust(t, err)
	if stays := skippedOf(all); !reflect.DeepEqual(once.Skipped, stays) {
		t.Errorf("%+v, not %+v", once.Skipped, stays)
	}
}

// TestAboutWhatCanNotBeRead: of a session of ours whose log can't be read, what its metadata says is known.
func TestAboutWhatCanNotBeRead(t *testing.T) {
	b := ashore(t, t.TempDir(), t.TempDir(), t.TempDir(), pi.Source{})
	m, err := b.store.Import(session.New{Name: "a name"}, []byte(said(1, "user", "walnut")))
	newsMust(t, err)
	_, err = b.openIndex()
	newsMust(t, err)
	newsMust(t, os.Remove(b.store.LogPath(m.ID)))
	if about := b.indexing.stock.about(m.ID); about.Title != "a name" || about.First != "walnut" || about.Path != b.store.LogPath(m.ID) {
		t.Errorf("%+v", about)
	}
}
