// Package glean reads files below a directory and nowhere else, and what pi and the programs built on it write alike.
package glean

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"palimpsest/backend/sources"
)

// Tree is a directory that is read from. No name and no link leads out of it.
type Tree struct {
	root *os.Root
	// Dir is where it is.
	Dir string
}

// OpenTree opens the directory.
func OpenTree(dir string) (*Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Tree{root: root, Dir: dir}, nil
}

// Close lets go of the directory.
func (t *Tree) Close() error { return t.root.Close() }

// Path is the whole path of a name in the tree.
func (t *Tree) Path(name ...string) string {
	return filepath.Join(append([]string{t.Dir}, name...)...)
}

// Inside is the name in the tree of a whole path; not ok if it is elsewhere.
func (t *Tree) Inside(path string) (string, bool) {
	name, err := filepath.Rel(t.Dir, path)
	return name, err == nil && filepath.IsLocal(name)
}

// ErrNoFile is returned for what is there but is no file: a directory, a pipe, a device.
var ErrNoFile = errors.New("not a file")

// Open opens a file to read it.
func (t *Tree) Open(name string) (*os.File, fs.FileInfo, error) {
	info, err := t.root.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: %w", t.Path(name), ErrNoFile)
	}
	f, err := t.root.Open(name)
	return f, info, err
}

// LargeError is returned for what is longer than it may be.
type LargeError struct {
	Name  string
	Bytes int64
}

func (e *LargeError) Error() string {
	return fmt.Sprintf("%s: %d bytes: %v", e.Name, e.Bytes, sources.ErrTooLarge)
}

// Unwrap is [sources.ErrTooLarge].
func (e *LargeError) Unwrap() error { return sources.ErrTooLarge }

// ReadFile reads a file of at most so many bytes.
func (t *Tree) ReadFile(name string, most int64) ([]byte, error) {
	f, info, err := t.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > most {
		return nil, &LargeError{t.Path(name), info.Size()}
	}
	data := make([]byte, min(info.Size(), most-1)+1) // room for all of it, and to see that there is no more
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return data[:n], nil
	}
	var more []byte
	if err == nil { // it has grown
		more, err = io.ReadAll(io.LimitReader(f, most-int64(n)))
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", t.Path(name), err)
	}
	return append(data, more...), nil
}

// Sub is a directory in the tree: what is in it is reached without going there each time.
func (t *Tree) Sub(name string) (*Tree, error) {
	root, err := t.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Tree{root: root, Dir: t.Path(name)}, nil
}

// ReadDir lists a directory in the order of names.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(t.root.FS(), filepath.ToSlash(filepath.Clean(name))) //nolint:wrapcheck // it names operation and path
}

// Stat is what there is to know of a file, or of what a link in the tree leads to.
func (t *Tree) Stat(name string) (fs.FileInfo, error) { return t.root.Stat(name) }

// IsDir tells that a name is that of a directory, or of a link in the tree that leads to one.
func (t *Tree) IsDir(name string) bool {
	info, err := t.root.Stat(name)
	return err == nil && info.IsDir()
}
