package backend

import (
	"os"
	"path/filepath"

	"palimpsest/backend/sources"
)

// mostBesides is how many entries a folder may have whose folders are watched before there is a session in them.
var mostBesides = 1000

// besides are the folders in which sessions may come: those beside, and above, the folders that hold sessions, such as that of a project
// whose sessions are gone or that of a new day, and those in them that are called as where their neighbours have theirs. It tells whether
// these are all: not where a folder has too many, nor where an agent has folders in folders, and no session yet that says which of them
// count. What is below a folder that holds sessions comes with one that is written to, and is looked for then.
func besides(seen map[string]bool, found []*sources.Found) (dirs []string, all bool) {
	holding, leading := map[string]bool{}, map[string]bool{}
	for i := range found {
		for _, path := range found[i].Files {
			holding[filepath.Dir(path)] = true
		}
	}
	inner := map[string]map[string]bool{} // what the folders in one have in them
	for dir := range seen {
		above := filepath.Dir(dir)
		leading[above] = true
		if of := filepath.Dir(above); seen[above] && !holding[above] {
			if inner[of] == nil {
				inner[of] = map[string]bool{}
			}
			inner[of][filepath.Base(dir)] = true
		}
	}
	all = true
	for dir := range seen {
		if holding[dir] {
			continue
		}
		names, few := foldersIn(dir)
		all = all && few
		for _, name := range names {
			beside := filepath.Join(dir, name)
			dirs = append(dirs, beside)
			if !leading[dir] {
				within, few := foldersIn(beside)
				all = all && few && len(within) == 0
			}
			for name := range inner[dir] {
				if info, err := os.Stat(filepath.Join(beside, name)); err == nil && info.IsDir() {
					dirs = append(dirs, filepath.Join(beside, name))
				}
			}
		}
	}
	return dirs, all
}

// foldersIn are the names of the folders in one, unless it has more than [mostBesides] entries.
func foldersIn(dir string) (names []string, few bool) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, true
	}
	defer f.Close()
	entries, _ := f.ReadDir(mostBesides + 1) // what can't be read has none
	if len(entries) > mostBesides {
		return nil, false
	}
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names, true
}
