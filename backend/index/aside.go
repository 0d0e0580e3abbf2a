package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An index that can't be used is set aside until what can be read of it is in the new one.

const (
	asideName  = "aside-"
	unreadName = "unread.db"
	// asideMost is how many wait at most: whatever damages them, the disk is not to fill.
	asideMost = 3
)

// setAside renames the database at a path, and what belongs to it.
func setAside(path string) error {
	dir := filepath.Dir(path)
	to := begun(path)
	if to == "" {
		to = filepath.Join(dir, fmt.Sprintf("%s%d.db", asideName, time.Now().UnixNano()))
	}
	waiting := asides(dir)
	for _, old := range waiting[:max(0, len(waiting)-asideMost+1)] {
		if err := remove(old); err != nil {
			return err
		}
	}
	for _, suffix := range []string{"-shm", "-journal"} { // of those who have it open
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return renamed(path, to)
}

// begun is the name that a database was being given when the program was killed: only its log of writes has it yet. Empty if there is none.
func begun(path string) string {
	if _, err := os.Lstat(path + "-wal"); err == nil {
		return ""
	}
	for _, log := range namesIn(filepath.Dir(path), asideName+"*.db-wal") {
		to := strings.TrimSuffix(log, "-wal")
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return to
		}
	}
	return ""
}

// renamed renames a database, the log of writes first: without it, the file may lack the newest.
func renamed(path, to string) error {
	for _, suffix := range []string{"-wal", ""} {
		if err := os.Rename(path+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// asides are the databases that wait to be put back, the oldest first.
func asides(dir string) []string { return namesIn(dir, asideName+"*.db") }

// namesIn are the files in a directory that have such a name.
func namesIn(dir, pattern string) []string {
	found, _ := fs.Glob(os.DirFS(dir), pattern) // the pattern is a good one; the directory is no part of it
	slices.Sort(found)
	for i, name := range found {
		found[i] = filepath.Join(dir, name)
	}
	return found
}

// Wrecked tells whether there is something for [Index.Salvage].
func (x *Index) Wrecked() bool { return len(asides(x.dir)) > 0 }
