package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources/pi"
)

// TestHidden: of a session whose folder can't be looked into, nobody says that its files are gone.
func TestHidden(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := scanOf(t, home, t.TempDir(), pi.Source{})
	scanNow(t, b, "pi:s1")
	folder := filepath.Join(home, filepath.FromSlash(filepath.Dir(piPlace)))
	told := func() (row Session, why string) {
		t.Helper()
		newsMust(t, b.Scan(t.Context(), false, nil))
		all, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		if len(all) != 1 || !all[0].Gone {
			t.Fatalf("%+v", all)
		}
		_, err = b.Page("pi:s1", PageOptions{})
		if ProblemOf(err).Code != CodeNotFound {
			t.Fatal(err)
		}
		return all[0], err.Error()
	}
	newsMust(t, os.RemoveAll(folder))
	if err := os.Symlink(folder, folder); err != nil { // it leads to itself, and so to no file that could be there or not
		t.Skip(err)
	}
	if row, why := told(); row.Problem == nil || !strings.Contains(*row.Problem, "can't be reached") || !strings.Contains(why, "its files can't be reached") {
		t.Errorf("%v, %s", row.Problem, why)
	}
	newsMust(t, os.Remove(folder))
	if row, why := told(); row.Problem != nil || !strings.Contains(why, "its files are gone since") {
		t.Errorf("%v, %s", row.Problem, why)
	}
	newsMust(t, os.WriteFile(folder, nil, 0o600))
	if row, why := told(); row.Problem != nil || !strings.Contains(why, "its files are gone since") {
		t.Errorf("%v, %s", row.Problem, why)
	}
}

// TestAListWaitsForNoFolder: that the folder of sessions that vanished does not answer is said, and not waited for.
func TestAListWaitsForNoFolder(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := scanOf(t, home, t.TempDir(), pi.Source{})
	scanNow(t, b, "pi:s1")
	newsMust(t, os.Remove(filepath.Join(home, filepath.FromSlash(piPlace))))
	dead := make(chan struct{})
	defer close(dead)
	b.reach.Look = func(string, string) error { <-dead; return nil }
	b.reach.Patience = time.Millisecond
	all, err := b.List(t.Context(), ListOptions{})
	newsMust(t, err)
	if len(all) != 1 || !all[0].Gone || all[0].Problem == nil || !strings.Contains(*all[0].Problem, "does not answer") {
		t.Errorf("%+v", all)
	}
}
