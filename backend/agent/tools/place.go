package tools

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/agent/permission"
)

// place is a file or folder that a call may touch, there or not.
type place struct {
	root *os.Root
	// name is its path in root.
	name string
	// real is its absolute path without symbolic links, as it was when it was looked up; root keeps to it.
	real string
	// shown is how it is told: relative with slashes if it is in the session's folder.
	shown string
}

// Close gives the folder back.
func (p *place) Close() { _ = p.root.Close() } // it holds nothing

// absolute is a path as the model gives it, from the session's folder on.
func (s *Set) absolute(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home() != "" {
		return filepath.Join(filepath.FromSlash(home()), filepath.FromSlash(rest))
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.workspace.Dir, path)
	}
	return filepath.Clean(path)
}

// place looks a path up. What is outside of the session's folder, and not allowed, is refused.
func (j *job) place(path string) (*place, error) {
	given := j.absolute(path)
	target, err := resolve(given)
	if err != nil {
		return nil, err
	}
	dir, err := j.dir()
	if err != nil {
		return nil, err
	}
	if j.with.Judged != nil && !slices.ContainsFunc(j.with.Judged, func(p permission.Path) bool { return p.Real == filepath.ToSlash(target) }) {
		return nil, fmt.Errorf("%s leads to %s by now, which nobody has allowed; try again", given, target)
	}
	p := &place{real: target, shown: filepath.ToSlash(target)}
	base := dir
	if below, err := filepath.Rel(dir, target); err == nil && filepath.IsLocal(below) {
		p.name, p.shown = below, filepath.ToSlash(below)
	} else {
		if !slices.ContainsFunc(j.with.Outside, func(allowed string) bool { return filepath.Clean(filepath.FromSlash(allowed)) == target }) {
			return nil, outside(given, target, dir)
		}
		base = nearestFolder(target)
		if p.name, err = filepath.Rel(base, target); err != nil {
			return nil, fmt.Errorf("finding %s: %w", target, err)
		}
	}
	if p.root, err = os.OpenRoot(base); err != nil {
		return nil, err
	}
	return p, nil
}

// ErrOutside is the error of a path that is outside of the session's folder and not allowed.
var ErrOutside = errors.New("outside of the session's folder")

func outside(given, target, dir string) error {
	if given != target {
		return fmt.Errorf("%s leads to %s, which is %w %s; the user has not allowed that", given, target, ErrOutside, dir)
	}
	return fmt.Errorf("%s is %w %s; the user has not allowed that", given, ErrOutside, dir)
}

// nearestFolder is the path itself if it is a folder, or else the nearest one above it.
func nearestFolder(path string) string {
	for {
		if info, err := os.Lstat(path); (err == nil && info.IsDir()) || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

// resolve takes the symbolic links out of a path. What is not there yet stays as it is named.
func resolve(path string) (string, error) {
	if strings.ContainsRune(path, 0) {
		return "", errors.New("a path can't hold NUL")
	}
	target, err := filepath.EvalSymlinks(path)
	if err == nil {
		return target, nil
	}
	if !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
		return "", fmt.Errorf("finding %s: %w", path, err)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", fmt.Errorf("%s is a symbolic link to what is not there", path)
	}
	folder, err := resolve(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, filepath.Base(path)), nil
}

// stamp tells whether a file is still what it was.
type stamp struct {
	size     int64
	modified int64 // nanoseconds
}

func stampOf(info fs.FileInfo) stamp { return stamp{info.Size(), info.ModTime().UnixNano()} }

func (s *Set) saw(p *place, info fs.FileInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[p.real] = stampOf(info)
}

// unchanged tells whether the model has seen a file as it is.
func (s *Set) unchanged(p *place, info fs.FileInfo) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen, ok := s.seen[p.real]
	return ok && seen == stampOf(info)
}

// open opens a regular file for reading. It never waits, as opening a named pipe would.
func (p *place) open() (*os.File, fs.FileInfo, error) {
	info, err := p.root.Stat(p.name)
	if err != nil {
		return nil, nil, p.explain(err)
	}
	if err := p.regular(info); err != nil {
		return nil, nil, err
	}
	f, err := p.root.OpenFile(p.name, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, nil, p.explain(err)
	}
	if info, err = f.Stat(); err == nil {
		err = p.regular(info) // it may be another by now
	}
	if err != nil {
		_ = f.Close() // opened for reading
		return nil, nil, err
	}
	return f, info, nil
}

func (p *place) regular(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a folder", p.shown)
	}
	return fmt.Errorf("%s is no regular file (%s)", p.shown, info.Mode().Type())
}

// contents is all of a regular file of at most so many bytes.
func (p *place) contents(most int64) ([]byte, fs.FileInfo, error) {
	f, info, err := p.open()
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", p.shown, err)
	}
	if int64(len(data)) > most {
		return nil, nil, fmt.Errorf("%s is larger than %d MiB, which is too large for this tool", p.shown, most>>20)
	}
	return data, info, nil
}

// explain puts the errors that models make into words.
func (p *place) explain(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no %s", p.shown)
	case strings.Contains(err.Error(), "path escapes from parent"):
		return fmt.Errorf("%s leads %w", p.shown, ErrOutside)
	}
	return err
}
