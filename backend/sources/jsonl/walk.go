package jsonl

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
)

// Walk gives the regular files with one of the suffixes below a directory, which may be a link itself, in the order of their names; links
// below it are not followed. What can't be read is left out, and folders that may not be are told of. Folders that stand side by side are listed side by side: agents that have one
// for each day have thousands, and a disk takes its time for each.
func Walk(env sources.Env, root string, depth int, suffixes ...string) iter.Seq2[string, fs.DirEntry] {
	return func(yield func(string, fs.DirEntry) bool) {
		top := &folder{path: root}
		level := []*folder{top}
		for ; len(level) > 0; depth-- {
			sources.AllSideBySide(len(level), func(i int) { level[i].list(depth > 0, suffixes) })
			var next []*folder
			for _, f := range level {
				env.Deny(f.err)
				next = append(next, f.below...)
			}
			level = next
		}
		top.each(yield)
	}
}

// folder is a directory with what is wanted of it.
type folder struct {
	path    string
	entries []fs.DirEntry
	below   []*folder
	err     error
}

func (f *folder) list(deeper bool, suffixes []string) {
	all, err := os.ReadDir(f.path) // what was read before an error counts
	f.err = err
	for _, entry := range all {
		switch {
		case entry.IsDir() && deeper:
			f.below = append(f.below, &folder{path: filepath.Join(f.path, entry.Name())})
		case !entry.Type().IsRegular() || !slices.ContainsFunc(suffixes, func(suffix string) bool { return strings.HasSuffix(entry.Name(), suffix) }):
			continue
		}
		f.entries = append(f.entries, entry)
	}
}

func (f *folder) each(yield func(string, fs.DirEntry) bool) bool {
	below := f.below
	for _, entry := range f.entries {
		if !entry.IsDir() {
			if !yield(filepath.Join(f.path, entry.Name()), entry) {
				return false
			}
			continue
		}
		if !below[0].each(yield) {
			return false
		}
		below = below[1:]
	}
	return true
}
