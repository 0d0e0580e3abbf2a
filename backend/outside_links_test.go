package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"palimpsest/backend/library"
	"palimpsest/backend/notify"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/opencode"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

// hearing takes what the system tells, until something is known to have changed.
func hearing(t *testing.T, a *outside) {
	t.Helper()
	timeout := time.After(newsDeadline)
	for len(a.dirty) == 0 && !a.all && !a.named {
		select {
		case event := <-a.notify.Events:
			a.note(event)
		case <-timeout:
			t.Fatal("nothing is told")
		}
	}
}

// linked moves what has a name to another folder, and says what it is called there; a link has its name.
func linked(t *testing.T, path string) string {
	t.Helper()
	there := filepath.Join(t.TempDir(), filepath.Base(path))
	newsMust(t, os.Rename(path, there))
	if err := os.Symlink(there, path); err != nil {
		t.Skip(err)
	}
	return there
}

// TestFoldersThatAreLinks: where an agent keeps its sessions, or what that is in, may be a link. Who writes where it leads is heard, and it is
// known of which session that is.
func TestFoldersThatAreLinks(t *testing.T) {
	for _, link := range []string{".pi", ".pi/agent", ".pi/agent/sessions"} {
		t.Run(link, func(t *testing.T) {
			home := t.TempDir()
			if !notify.Tells(home) {
				t.Skip("the system does not tell what changes in temporary folders")
			}
			writePi(t, home, piSession())
			disk := linked(t, filepath.Join(home, filepath.FromSlash(link)))
			a, arrange := watching(t, home, pi.Source{})
			arrange()
			a.all = false
			add(t, filepath.Join(disk, filepath.FromSlash(strings.TrimPrefix(piPlace, link))), piMore)
			hearing(t, a)
			if !a.dirty["pi:s1"] || a.all {
				t.Errorf("it is not told whose change it is: %v, %t", a.dirty, a.all)
			}
			a.b.readings.use(library.Ref{Agent: "pi", ID: "s1"})
			if every := a.viewsEvery(viewPoll); every != restPoll {
				t.Errorf("it is looked at every %v, though the system tells", every)
			}
		})
	}
}

// TestFilesThatAreLinks: a database, and a file of settings or names, may be a link by itself. What is written where it leads is heard, and
// what else happens there is no news.
func TestFilesThatAreLinks(t *testing.T) {
	for name, c := range map[string]struct {
		source sources.Source
		make   func(home string) (path string)
		told   func(a *outside) bool
	}{
		"a database": {opencode.Source{}, func(home string) string { return inDatabase(t, home, opencodePlace, opencodeRows) }, func(a *outside) bool { return a.all }},
		"settings":   {codex.Source{}, func(home string) string { return sourcetest.Write(t, home, ".codex/config.toml", "") }, func(a *outside) bool { return a.named }},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			disk := linked(t, c.make(home))
			a, arrange := watching(t, home, c.source)
			arrange()
			a.all, a.named = false, false
			a.note(fsnotify.Event{Name: filepath.Join(filepath.Dir(disk), "other"), Op: fsnotify.Create})
			if a.all || a.named {
				t.Error("all is looked for, as something else came there")
			}
			add(t, disk, "x")
			hearing(t, a)
			if !c.told(a) {
				t.Errorf("%t, %t", a.all, a.named)
			}
		})
	}
}
