package backend

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"palimpsest/backend/library"
	"palimpsest/backend/sources"
)

// Where the system does not tell of changes, as beyond its limits or of a network drive, those sessions are looked at again and again that
// something is likely to happen to: those that somebody looks at, and those that changed last. Of their folders, and of databases, the time
// is looked at, which is another one when a session came or was written to. All others wait until everything is searched for.
const (
	// nearMost is how many sessions are near: few enough to cost nothing.
	nearMost = 20
	// quickPoll is how often what somebody looks at is looked at for so long as something happens, and quickFor how long after it did.
	quickPoll = 250 * time.Millisecond
	quickFor  = time.Minute
)

// near are sessions of which the system does not tell, and the times of the folders that such may come to, and of databases.
type near struct {
	sessions []library.Ref
	times    map[string]time.Time
}

// draw finds out what is near, of sessions by when they changed, the last first.
func (a *outside) draw(found []*sources.Found) {
	before := a.near.times
	a.near = near{times: map[string]time.Time{}}
	for _, f := range found {
		if len(a.near.sessions) == nearMost {
			break
		}
		if a.hears(f.Files) {
			continue
		}
		if ref := a.b.indexing.stock.holder(library.Ref{Agent: f.Agent, ID: f.ID}); !slices.Contains(a.near.sessions, ref) {
			a.near.sessions = append(a.near.sessions, ref)
		}
		for _, path := range f.Files {
			if f.InTables() {
				a.approach(path, before)
				a.approach(path+logSuffix, before)
			} else if dir := filepath.Dir(path); !a.tells(dir) {
				a.approach(dir, before)
			}
		}
	}
	for root := range a.roots {
		if !a.tells(nearest(root)) {
			a.approach(root, before)
		}
	}
}

// approach notes the time of a folder or a file, unless it has been: what happened since then is still to be seen.
func (a *outside) approach(path string, before map[string]time.Time) {
	at, known := before[path]
	if !known {
		at = timeOf(path)
	}
	a.near.times[path] = at
}

// timeOf is when something came to a folder or went from it, or a file was written; the zero time for what is not there.
func timeOf(path string) (at time.Time) {
	if info, err := os.Stat(path); err == nil {
		at = info.ModTime()
	}
	return at
}

// tells says whether the system tells of all that changes in a folder.
func (a *outside) tells(dir string) bool {
	if first, ok := a.standsFor[dir]; ok {
		dir = first
	}
	return a.watched[dir] != nil && !a.deaf[dir]
}

// hears says whether the system tells of all that changes in files.
func (a *outside) hears(files []string) bool {
	for _, path := range files {
		to, isLink := a.links[path]
		if !a.tells(filepath.Dir(path)) || isLink && !a.tells(filepath.Dir(to)) {
			return false
		}
	}
	return true
}

// viewsEvery is how often those looked at last are looked at again, and what is near.
func (a *outside) viewsEvery(viewPoll time.Duration) time.Duration {
	for _, ref := range a.b.readings.recent() {
		if a.b.indexing.stock != nil && a.listed > 0 && a.hears(a.b.indexing.stock.filesOf(ref.String())) {
			continue
		}
		if time.Since(a.changed) < quickFor {
			return min(viewPoll, quickPoll)
		}
		return viewPoll
	}
	if len(a.near.sessions) > 0 || len(a.near.times) > 0 {
		return viewPoll
	}
	return max(viewPoll, restPoll)
}

// lookNear looks at what is near. What has another time has another session, or lacks one.
func (a *outside) lookNear() {
	a.look(a.near.sessions)
	for path, was := range a.near.times {
		if now := timeOf(path); !now.Equal(was) {
			a.near.times[path], a.all = now, true
		}
	}
}
