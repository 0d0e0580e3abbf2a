package glean

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"palimpsest/backend/borrow"
)

// Folder is a directory of a tree that is opened once, to list it and to read files in it: lists look into thousands, and each as a tree
// of its own would be opened twice. The tree has to stay open.
type Folder struct {
	tree *Tree
	name string
	dir  *os.File
}

// Folder opens a directory.
func (t *Tree) Folder(name string) (*Folder, error) {
	dir, err := t.root.OpenFile(name, borrow.ReadOnly, 0)
	if err != nil {
		return nil, err
	}
	return &Folder{t, name, dir}, nil
}

// Names are those in it, in order. What has them is not looked at.
func (f *Folder) Names() ([]string, error) {
	names, err := f.dir.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// Newest is when one of the files in it was written last, the zero time if there is none. A link counts, and not what it leads to.
func (f *Folder) Newest() (last time.Time) {
	all, _ := f.dir.Readdir(-1) // what was looked at before an error counts
	for _, info := range all {
		if info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// Close lets go of the directory.
func (f *Folder) Close() error { return f.dir.Close() }

// Path is the whole path of a name in it.
func (f *Folder) Path(name ...string) string {
	return filepath.Join(append([]string{f.tree.Path(f.name)}, name...)...)
}

// ReadFile reads a file in it of at most so many bytes.
func (f *Folder) ReadFile(name string, most int64) ([]byte, error) {
	if data, ok := near(f.dir, name, most); ok {
		return data, nil
	}
	if filepath.Base(name) != name {
		return nil, fmt.Errorf("%s: %w in this folder", name, ErrNoFile)
	}
	return f.tree.ReadFile(filepath.Join(f.name, name), most)
}

// Stat is what there is to know of a file in it, or of what a link in the tree leads to.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	return f.tree.Stat(filepath.Join(f.name, name))
}

// IsLink tells that a name in it is that of a link, whatever that leads to.
func (f *Folder) IsLink(name string) bool {
	info, err := f.tree.root.Lstat(filepath.Join(f.name, name))
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
