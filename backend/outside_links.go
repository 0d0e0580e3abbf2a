package backend

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"palimpsest/backend/inode"
	"palimpsest/backend/sources"
)

// Of an agent's files those that are not read as sessions by themselves, as databases and settings are, may be links: who writes to one
// writes where it leads. So that is watched, too. And a folder may have two names, of which the system tells only by one.

// logSuffix is that of the log of a database's writes.
const logSuffix = "-wal"

// follow notes where files of sessions stand that are links, and wants nothing else of the folders there.
func (a *outside) follow(found []*sources.Found) {
	a.links, a.databases = map[string]string{}, map[string]bool{}
	names := map[string]map[string]bool{}
	for i := range found {
		for _, path := range found[i].Files {
			dir, name := filepath.Split(path)
			if names[dir] == nil {
				names[dir] = linksIn(dir)
			}
			if !names[dir][name] {
				continue
			}
			to, err := filepath.EvalSymlinks(path)
			if err != nil {
				continue
			}
			a.links[path] = to
			a.above[filepath.Dir(to)] = true
			if found[i].InTables() {
				a.databases[to], a.databases[to+logSuffix] = true, true
			} else {
				a.files[to] = a.files[path]
			}
		}
	}
}

// linksIn are the names of the links in a folder.
func linksIn(dir string) map[string]bool {
	links := map[string]bool{}
	entries, _ := os.ReadDir(dir) // what can't be read has none
	for _, entry := range entries {
		if entry.Type()&fs.ModeSymlink != 0 {
			links[entry.Name()] = true
		}
	}
	return links
}

// once names folders once of which several are the same: the first name stays, and stands for the others.
func (a *outside) once(wanted []string) (folders []string) {
	a.standsFor, a.names = map[string]string{}, map[string][]string{}
	seen := map[string][]string{}
	infos := map[string]fs.FileInfo{}
	for _, dir := range wanted {
		now, err := os.Stat(dir)
		if err != nil {
			continue
		}
		number, first := inode.Number(now), ""
		for _, other := range seen[number] {
			if os.SameFile(infos[other], now) {
				first = other
			}
		}
		if first != "" {
			a.standsFor[dir] = first
			a.names[first] = append(a.names[first], dir)
			continue
		}
		seen[number], infos[dir] = append(seen[number], dir), now
		folders = append(folders, dir)
	}
	return folders
}

// followNames is follow of the files that say more of sessions.
func (a *outside) followNames() {
	for _, path := range a.b.library.Elsewhere() {
		a.elsewhere[path] = true
		a.above[nearest(filepath.Dir(path))] = true
		if to, err := filepath.EvalSymlinks(path); err == nil && isLink(path) {
			a.elsewhere[to] = true
			a.above[filepath.Dir(to)] = true
		}
	}
}

// sessionsOf are the sessions that a file is of, whichever of its folder's names it is told by.
func (a *outside) sessionsOf(path string) []string {
	ids := a.files[path]
	dir, name := filepath.Split(path)
	for _, other := range a.names[filepath.Clean(dir)] {
		ids = append(slices.Clip(ids), a.files[filepath.Join(other, name)]...)
	}
	return ids
}
