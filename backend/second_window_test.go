package backend

import (
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/sources/pi"
)

// TestGoneIsToldByAll: that a session's files are gone, and that they are back, is news in a program that finds it in the index, too, not
// only in the one that put it there; and once.
func TestGoneIsToldByAll(t *testing.T) {
	home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
	writePi(t, home, piSession())
	first, second := ashore(t, home, own, cache, pi.Source{}), ashore(t, home, own, cache, pi.Source{})
	scanNow(t, first, "pi:s1")
	rows := func() (told int) {
		t.Helper()
		events, cancel := second.Subscribe()
		_, err := second.indexing.stock.Rows(t.Context(), nil)
		newsMust(t, err)
		cancel()
		for e := range events {
			if e.Kind == EventChanged && e.SessionID != nil && *e.SessionID == "pi:s1" {
				told++
			}
		}
		return told
	}
	_, err := second.openIndex()
	newsMust(t, err)
	if n := rows(); n != 0 {
		t.Errorf("before anything happened, %d are told", n)
	}
	newsMust(t, os.Remove(filepath.Join(home, filepath.FromSlash(piPlace))))
	newsMust(t, first.Scan(t.Context(), false, nil))
	if n, again := rows(), rows(); n != 1 || again != 0 {
		t.Errorf("that it is gone is told %d times, then %d", n, again)
	}
	writePi(t, home, piSession())
	newsMust(t, first.Scan(t.Context(), false, nil))
	if n, again := rows(), rows(); n != 1 || again != 0 {
		t.Errorf("that it is back is told %d times, then %d", n, again)
	}
}
