package tools

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// How far a walk goes.
const (
	walkMost  = 500_000 // files and folders
	depthMost = 128     // folders in folders
)

// walk visits what is in a folder and below, folders before what is in them, sorted by name: without .git, what
// .gitignore files leave out, what the call is to skip, and without following symbolic links. short tells that it did
// not see all.
func (j *job) walk(p *place, visit func(below string, entry fs.DirEntry) error) (short bool, err error) {
	dir, err := j.dir()
	if err != nil {
		return false, err
	}
	base := filepath.ToSlash(p.real)
	rules := map[string]ignoring{}
	visited := 0
	err = fs.WalkDir(p.root.FS(), filepath.ToSlash(p.name), func(name string, entry fs.DirEntry, err error) error {
		if cause := context.Cause(j.ctx); cause != nil {
			return cause
		}
		if err != nil {
			short = true
			return nil //nolint:nilerr // a folder that can't be read is no reason not to look at the others; it is told
		}
		below := relative(filepath.ToSlash(p.name), name)
		file := path.Join(base, below)
		if below == "." {
			rules[name] = append(ignoringAbove(p.real, dir), j.ignoring(p, name, base)...)
			return nil
		}
		if visited++; visited > walkMost {
			short = true
			return fs.SkipAll
		}
		inherited := rules[path.Dir(name)]
		if path.Base(name) == ".git" || inherited.ignores(file, entry.IsDir()) || (j.with.Skip != nil && j.with.Skip(file)) {
			return skip(entry)
		}
		if err := visit(below, entry); err != nil {
			return err
		}
		if entry.IsDir() {
			if strings.Count(below, "/") >= depthMost {
				short = true
				return fs.SkipDir
			}
			rules[name] = append(slices.Clip(inherited), j.ignoring(p, name, file)...)
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return true, nil
	}
	return short, err //nolint:wrapcheck // what visit returned, or why it was stopped
}

// errEnough ends a walk that has found as much as it may.
var errEnough = errors.New("enough")

func skip(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func (*job) ignoring(p *place, folder, base string) ignoring {
	in := *p
	in.name = filepath.Join(filepath.FromSlash(folder), ".gitignore")
	return in.ignoring(base)
}

// relative is a path with slashes from a folder on that it is in.
func relative(folder, name string) string {
	switch {
	case folder == ".":
		return name
	case name == folder:
		return "."
	}
	return strings.TrimPrefix(name, folder+"/")
}
