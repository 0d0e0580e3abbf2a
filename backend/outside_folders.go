package backend

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"palimpsest/backend/library"
	"palimpsest/backend/notify"
	"palimpsest/backend/sources"
)

// watchesAbove tells whether a folder can be watched without a look at what is in it. On the others each entry is opened: of a home
// directory that is thousands, some of which the system asks about first. What appears there is seen when all is looked for.
const watchesAbove = runtime.GOOS == "linux" || runtime.GOOS == "windows"

// arrange watches the folders of the sessions that changed last, those above them up to where the agent keeps all of them, and those that
// held sessions before, once there is a new listing; and those of the files elsewhere that say more of sessions. Of an agent that keeps none yet, the folder is watched in which that place, or one above it, would appear.
func (a *outside) arrange() {
	if _, err := a.b.openIndex(); err != nil {
		return
	}
	found, listed := a.b.indexing.stock.listing(a.listed)
	if listed == a.listed {
		return
	}
	a.listed = listed
	slices.SortFunc(found, func(x, y *sources.Found) int { return lastOf(y).Compare(lastOf(x)) })
	clear(a.files)
	clear(a.mixed)
	a.roots, a.elsewhere, a.above = a.rootsNow(), map[string]bool{}, map[string]bool{}
	wanted := make([]string, 0, a.most)
	seen := map[string]bool{}
	want := func(dir string) {
		if !seen[dir] && len(wanted) < a.most {
			seen[dir] = true
			wanted = append(wanted, dir)
		}
	}
	wantUp := func(path string) {
		for dir := filepath.Dir(path); !seen[dir]; dir = filepath.Dir(dir) {
			want(dir)
			if a.roots[dir] || filepath.Dir(dir) == dir || !within(a.roots, dir) {
				break
			}
		}
	}
	for _, ref := range a.b.readings.recent() { // the system may watch fewer than wanted
		for _, path := range a.b.indexing.stock.filesOf(ref.String()) {
			wantUp(path)
		}
	}
	for root := range a.roots {
		if there := nearest(root); there == root {
			want(root)
		} else {
			a.above[there] = true
		}
	}
	a.followNames()
	for _, f := range found {
		for _, path := range f.Files {
			if !f.Shares() { // of a file that several have it is not known whose change it is
				a.files[path] = append(a.files[path], library.Ref{Agent: f.Agent, ID: f.ID}.String())
			}
			if f.Within != "" {
				a.mixed[library.Ref{Agent: f.Agent, ID: f.Parent}.String()] = true
			}
			wantUp(path)
		}
	}
	a.follow(found)
	dirs, told := besides(seen, found)
	for _, dir := range append(dirs, a.emptied()...) {
		want(dir)
	}
	for dir := range a.above {
		if seen[dir] || !watchesAbove {
			delete(a.above, dir)
		}
		if watchesAbove {
			want(dir)
		}
	}
	a.blind, a.told = len(wanted) == a.most, told
	if a.watch(a.once(wanted)) {
		a.all = true // what changed in them between the listing and now, nobody has told
	}
	a.draw(found)
}

// nearest is a folder or, if it is not there, the nearest one above it that is.
func nearest(dir string) string {
	for {
		info, err := os.Stat(dir)
		if above := filepath.Dir(dir); (err != nil || !info.IsDir()) && above != dir {
			dir = above
			continue
		}
		return dir
	}
}

func within(roots map[string]bool, dir string) bool {
	for root := range roots {
		if isWithin(dir, root) {
			return true
		}
	}
	return false
}

// leads tells whether a path is one of these, or stands above one.
func leads(path string, roots map[string]bool) bool {
	for root := range roots {
		if isWithin(root, path) {
			return true
		}
	}
	return false
}

// emptied are the folders that are watched and still there, also where the last session in them is gone: the next may come there.
func (a *outside) emptied() (dirs []string) {
	for dir := range a.watched {
		if !within(a.roots, dir) {
			continue
		}
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// watch watches these folders and no others, and tells whether it did not watch some of them before.
func (a *outside) watch(wanted []string) (more bool) {
	a.deaf = map[string]bool{}
	if a.notify == nil { // why was told when there was none
		a.blind, a.told = true, false
		return false
	}
	keep := map[string]bool{}
	for _, dir := range wanted {
		keep[dir] = true
	}
	for dir := range a.watched {
		if !keep[dir] {
			a.unwatch(dir)
		}
	}
	var limit error
	for _, dir := range wanted {
		a.deaf[dir] = !notify.Tells(dir)
		a.told = a.told && !a.deaf[dir]
		now, err := os.Stat(dir)
		if err != nil || a.stands(dir, now) {
			continue
		}
		if a.watched[dir] != nil {
			a.unwatch(dir)
		}
		if limit == nil {
			err = a.notify.Add(dir)
		}
		if err != nil || limit != nil {
			if a.blind, a.told = true, false; notify.Limit(err) != "" {
				limit = err // each more would be tried for nothing
			}
			continue
		}
		a.watched[dir], more = now, true
	}
	a.b.watched(watchTheirs, limit)
	a.b.indexing.stock.watching.Store(int64(len(a.watched)))
	return more
}

// rootsNow are the places where agents keep their sessions, which settings and names of folders may change.
func (a *outside) rootsNow() map[string]bool {
	roots := map[string]bool{}
	for _, root := range a.b.library.Roots() {
		roots[filepath.Clean(root)] = true
	}
	return roots
}

// moved tells whether agents keep their sessions in other places than when all was looked for.
func (a *outside) moved() bool { return a.listed > 0 && !maps.Equal(a.roots, a.rootsNow()) }

// stands tells whether a folder is watched that is still the one of this name.
func (a *outside) stands(dir string, now fs.FileInfo) bool {
	return a.watched[dir] != nil && os.SameFile(a.watched[dir], now)
}

// replaced tells whether a place where an agent keeps its sessions is gone or another folder by now. Of that the system does not tell where
// a folder above it was moved, or a link on the way leads elsewhere: what is watched is the folder, whatever it is called.
func (a *outside) replaced() bool {
	for root := range a.roots {
		if a.watched[root] == nil {
			continue
		}
		if now, err := os.Stat(root); err != nil || !a.stands(root, now) {
			a.lose(root)
			return true
		}
	}
	return false
}

// lose ends the watches of a folder that is not where it was, and of those below it: another one may come in its place.
func (a *outside) lose(path string) {
	for dir := range a.watched {
		if isWithin(dir, path) {
			a.unwatch(dir)
		}
	}
}

func (a *outside) unwatch(dir string) {
	delete(a.watched, dir)
	_ = a.notify.Remove(dir) // fails only for what is gone already
}
