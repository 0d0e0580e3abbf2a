package tools

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Change is what a call did to one file.
type Change struct {
	// Path is absolute and without symbolic links.
	Path string `json:"path"`
	// Before and After name the contents among the session's blobs; nil is a file that is not there.
	Before *string `json:"before"`
	After  *string `json:"after"`
	// Mode is the file's permissions, so that it can be made again.
	Mode fs.FileMode `json:"mode,omitempty"`
	// Additions and Deletions count lines; nil where nobody compared them.
	Additions *int `json:"additions"`
	Deletions *int `json:"deletions"`
	// Counts are the lines of the changes that it takes back, less than nothing; nil of a change that takes none back.
	Counts *Counts `json:"counts,omitempty"`
	// Meant tells that it was written down before it was made, so it may not have been.
	Meant bool `json:"-"`
}

// Counts are lines added and removed.
type Counts struct {
	Additions int `json:"additions"`
	Deletions int `json:"deletions"`
}

// Less is what takes these back.
func (c Counts) Less() Counts { return Counts{-c.Additions, -c.Deletions} }

// counts are the lines of a change, as a session sums them up.
func (c *Change) counts() Counts {
	switch {
	case c.Counts != nil:
		return *c.Counts
	case c.Additions == nil || c.Deletions == nil:
		return Counts{}
	case c.Meant: // by a version that did not say
		return Counts{-*c.Deletions, -*c.Additions}
	}
	return Counts{*c.Additions, *c.Deletions}
}

// file is what a file holds; the zero value is one that is not there.
type file struct {
	there bool
	data  []byte
	info  fs.FileInfo
	// mode is what one that is made again has to have, whatever the system's mask is; 0 of a new one.
	mode fs.FileMode
}

// changeMost bounds the files that are changed, in bytes: they are held in memory, and kept.
const changeMost = 64 << 20

// before is what a call that changes a file finds. What can't be changed is refused.
func (p *place) before() (file, error) {
	info, err := p.root.Lstat(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		return file{}, nil
	}
	if err != nil {
		return file{}, p.explain(err)
	}
	if err := p.regular(info); err != nil {
		return file{}, err
	}
	if info.Mode().Perm()&0o222 == 0 {
		return file{}, fmt.Errorf("%s is read-only", p.shown)
	}
	data, info, err := p.contents(changeMost)
	if err != nil {
		return file{}, err
	}
	return file{there: true, data: data, info: info}, nil
}

// save makes a file hold other contents, or go. What was there, and what will be, is kept before anything is changed.
// It also shows the change. mode is that of a file that is not there yet, which the system's mask narrows.
func (s *Set) save(p *place, was, will file, mode fs.FileMode) (Change, string, error) {
	change := Change{Path: p.real, Mode: mode}
	if was.there {
		change.Mode = was.info.Mode().Perm()
	}
	if err := s.keepSides(&change, was, will); err != nil {
		return Change{}, "", fmt.Errorf("%s was not changed, since it could not be kept: %w", p.shown, err)
	}
	if err := p.replace(was, will, change.Mode); err != nil {
		return Change{}, "", err
	}
	if info, err := p.root.Lstat(p.name); err == nil {
		change.Mode = info.Mode().Perm()
		s.saw(p, info)
	}
	text, additions, deletions := compare(p.shown, was, will)
	change.Additions, change.Deletions = additions, deletions
	return change, text, nil
}

// keepSides keeps what a file holds before and after a change, which names it from then on.
func (s *Set) keepSides(change *Change, was, will file) error {
	for _, side := range []struct {
		file file
		sha  **string
	}{{was, &change.Before}, {will, &change.After}} {
		if !side.file.there {
			continue
		}
		sha, err := s.keep(side.file.data)
		if err != nil {
			return err
		}
		*side.sha = &sha
	}
	return nil
}

// replace puts new contents in a file's place in one step: whoever reads it gets the old or the new. Links that share
// the file keep the old.
func (p *place) replace(was, will file, mode fs.FileMode) error {
	if !will.there {
		if err := p.still(was); err != nil {
			return err
		}
		return p.root.Remove(p.name)
	}
	if err := p.root.MkdirAll(filepath.Dir(p.name), 0o777); err != nil {
		return p.explain(err)
	}
	temporary := filepath.Join(filepath.Dir(p.name), ".palimpsest-"+rand.Text())
	if err := p.writeTemporary(temporary, was, will, mode); err != nil {
		return errors.Join(err, p.discard(temporary))
	}
	err := p.still(was)
	if err == nil {
		err = p.root.Rename(temporary, p.name)
	}
	if err != nil {
		return errors.Join(err, p.discard(temporary))
	}
	return nil
}

func (p *place) discard(temporary string) error {
	if err := p.root.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (p *place) writeTemporary(name string, was, will file, mode fs.FileMode) (err error) {
	first := mode
	if was.there {
		first = 0o600 // until it is known to have the mode and owner of the one that it replaces
	}
	f, err := p.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, first)
	if err != nil {
		return p.explain(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if was.there {
		keepOwner(f, was.info)
		if err := f.Chmod(mode); err != nil {
			return err
		}
	} else if will.mode != 0 {
		if err := f.Chmod(will.mode); err != nil {
			return err
		}
	}
	if _, err := f.Write(will.data); err != nil {
		return err
	}
	return f.Sync()
}

// still tells whether a file is what it was a moment ago.
func (p *place) still(was file) error {
	info, err := p.root.Lstat(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !was.there:
		return nil
	case err != nil:
		return p.explain(err)
	case !was.there, !os.SameFile(info, was.info), stampOf(info) != stampOf(was.info):
		return fmt.Errorf("%s was changed by somebody else at this moment; nothing was written", p.shown)
	}
	return nil
}

const (
	diffMost  = 4 << 20   // bytes of both sides that are compared line by line
	diffShown = 256 << 10 // bytes of a diff; of a longer one, its middle is left out
)

// compare shows what changes between two states of a file and counts the lines; nil where they can't be compared.
func compare(name string, was, will file) (text string, additions, deletions *int) {
	if isBinary(was.data) || isBinary(will.data) || len(was.data)+len(will.data) > diffMost {
		return fmt.Sprintf("%s: too large, or no text, to show what changed\n", name), nil, nil
	}
	from, to := "a/"+name, "b/"+name
	if !was.there {
		from = os.DevNull
	}
	if !will.there {
		to = os.DevNull
	}
	text = valid(string(diff.Diff(oneLine(from), was.data, oneLine(to), will.data)))
	_, text, _ = strings.Cut(text, "\n") // its first line names both sides again
	additions, deletions = new(int), new(int)
	for i, line := range strings.Split(text, "\n") {
		switch {
		case i < 2:
		case strings.HasPrefix(line, "+"):
			*additions++
		case strings.HasPrefix(line, "-"):
			*deletions++
		}
	}
	return middle(text, diffShown), additions, deletions
}

// changed is the result of a call that changed one file.
func (j *job) changed(p *place, was, will file, did string) (Result, error) {
	if j.dry {
		text, _, _ := compare(p.shown, was, will)
		return Result{Diff: text}, nil
	}
	change, text, err := j.save(p, was, will, 0o666)
	if err != nil {
		return Result{}, err
	}
	lines := "too large, or no text, to count lines"
	if change.Additions != nil && change.Deletions != nil {
		lines = fmt.Sprintf("%d lines added, %d removed", *change.Additions, *change.Deletions)
	}
	return Result{
		Text:    fmt.Sprintf("%s %s: %s\n", did, p.shown, lines),
		Diff:    text,
		Changes: []Change{change},
	}, nil
}
