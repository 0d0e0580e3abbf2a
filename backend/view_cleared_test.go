package backend

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"palimpsest/backend/library"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/sourcetest"
)

// TestAReadingMadeAgainIsAnother: what a window knows of a reading that a program made which does not stay is not taken for that of the one made
// in its place once that was cleared, which has the same ID and another end.
func TestAReadingMadeAgainIsAnother(t *testing.T) {
	all := append(codexWrites(0, "first"), codexWrites(1, "second")...)
	ref, err := library.ParseRef(liveCodexID)
	newsMust(t, err)
	for n := 2; n < len(all)-1; n++ {
		home, cache := t.TempDir(), t.TempDir()
		program := func(stays bool, cache string) *Backend {
			b, err := Open(Options{Home: t.TempDir(), UserHome: home, Cache: cache, Sources: []sources.Source{codex.Source{}}, Resident: stays, Warn: func(err error) { t.Error(err) }})
			newsMust(t, err)
			t.Cleanup(b.Close)
			return b
		}
		head := codexHead("019a0000-0000-7000-8000-000000000001", "10:00:00", "")
		path := sourcetest.Write(t, home, liveCodexPlace, head+strings.Join(all[:n], ""))
		once, window := program(false, cache), program(true, cache)
		readNow(t, once, liveCodexID)
		readNow(t, window, liveCodexID)
		r, err := window.library.Read(t.Context(), ref)
		newsMust(t, err)
		newsMust(t, os.RemoveAll(filepath.Dir(window.library.Store().LogPath(r.ID))))
		newsMust(t, window.Prepare(t.Context(), liveCodexID))
		for _, line := range all[n:min(len(all), n+6)] {
			add(t, path, line)
		}
		shown, want := readNow(t, window, liveCodexID), readNow(t, program(false, t.TempDir()), liveCodexID)
		if shown.grew = false; !reflect.DeepEqual(shown, want) {
			t.Errorf("behind line %d:\n%+v\n%+v", n, shown, want)
		}
	}
}
