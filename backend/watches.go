package backend

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"palimpsest/backend/notify"
)

// watches are the directories that the system is asked to tell about: that of the sessions, the one above it so that it
// may go and come back, and those of the sessions that changed last. Without a notify there are none.
type watches struct {
	notify *notify.Watcher
	dir    string
	most   int
	// went is told how it went to watch them.
	went func(error)

	above    string      // the nearest directory above dir that exists
	root     fs.FileInfo // dir, if it is watched
	tells    bool        // the system tells of all that comes to dir and goes from it, and that it comes itself
	sessions map[string]bool
	stale    bool // not all that should be watched is
	refused  bool // the system would not watch all that should be
}

// watchMost bounds the sessions that are watched: inotify's watches are limited for a user, and where kqueue is used each
// costs a descriptor for the directory and for every file in it.
func watchMost() int {
	switch runtime.GOOS {
	case "linux", "windows":
		return 1000
	}
	return 200
}

// arm sees to it that the directory of the sessions is watched, or else the one in which it would appear.
func (w *watches) arm() {
	if w.notify == nil {
		return
	}
	if there, err := os.Stat(w.dir); w.root != nil && (err != nil || !os.SameFile(w.root, there)) {
		w.drop() // gone, or another one: what is watched is not what is there
	}
	above := w.notify.AddNearest(filepath.Dir(w.dir))
	if w.above != "" && w.above != above {
		w.remove(w.above)
	}
	w.above, w.tells = above, false
	if err := w.notify.Add(w.dir); err != nil {
		w.tells = errors.Is(err, fs.ErrNotExist) && notify.Tells(above) // of its coming; else polling has to do
		w.went(err)
		return
	}
	if there, err := os.Stat(w.dir); err == nil {
		w.root = there
	}
	w.tells = notify.Tells(w.dir)
	w.stale = true
}

// tell says whether the system tells of all that changes in these sessions, and of each that comes or goes.
func (w *watches) tell(ids []string) bool {
	if !w.tells {
		return false
	}
	for _, id := range ids {
		// What a link leads to may be changed elsewhere.
		if dir := filepath.Join(w.dir, id); !w.sessions[id] || isLink(dir) || isLink(filepath.Join(dir, logName)) {
			return false
		}
	}
	return true
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// end is called when the system has given up on this program.
func (w *watches) end() {
	w.notify, w.root, w.sessions, w.tells = nil, nil, nil, false
}

func (w *watches) drop() {
	for id := range w.sessions {
		w.lose(id)
	}
	w.remove(w.dir)
	w.root, w.tells = nil, false
}

// lose forgets the watch of a session; arrange takes it up again if the session is still there.
func (w *watches) lose(id string) {
	if w.sessions[id] {
		delete(w.sessions, id)
		w.remove(filepath.Join(w.dir, id))
	}
	w.stale = true
}

// remove fails only for what is gone already.
func (w *watches) remove(dir string) { _ = w.notify.Remove(dir) } // fails only for one that is gone

// arrange watches the sessions that changed last, as many as may be, and no others. It returns those that it did not
// watch before.
func (w *watches) arrange(known map[string]imprint) (fresh []string) {
	if w.root == nil || !w.stale {
		return nil
	}
	w.stale = false
	if w.sessions == nil {
		w.sessions = map[string]bool{}
	}
	wanted := newest(known, w.most)
	keep := make(map[string]bool, len(wanted))
	for _, id := range wanted {
		keep[id] = true
	}
	for id := range w.sessions {
		if !keep[id] {
			delete(w.sessions, id)
			w.remove(filepath.Join(w.dir, id))
		}
	}
	var limit error
	for _, id := range wanted {
		if w.sessions[id] {
			continue
		}
		err := w.notify.Add(filepath.Join(w.dir, id))
		if err == nil {
			w.sessions[id] = true
			fresh = append(fresh, id)
		} else if !errors.Is(err, fs.ErrNotExist) {
			limit = err // the others are polled
			break
		}
	}
	w.refused = limit != nil
	w.went(limit)
	return fresh
}

// beyondMost is how many sessions are looked at again and again that are not watched: few enough to cost nothing.
const beyondMost = 100

// beyond are the sessions that changed last of those that should be watched, and are not.
func (w *watches) beyond(known map[string]imprint) []string {
	if !w.refused {
		return nil
	}
	ids := slices.DeleteFunc(newest(known, len(known)), func(id string) bool { return w.sessions[id] })
	return ids[:min(len(ids), beyondMost)]
}

// newest are the sessions whose logs changed last.
func newest(known map[string]imprint, most int) []string {
	ids := make([]string, 0, len(known))
	for id := range known {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		return known[b].log.ModTime().Compare(known[a].log.ModTime())
	})
	return ids[:min(len(ids), most)]
}
