package tools

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// Undoing is what taking back some changes comes to.
type Undoing struct {
	Files []Undone
	set   *Set
	with  Options
}

// Undone is one file as it would be after the changes are taken back.
type Undone struct {
	Path string
	// Blocked says why the file is left alone; empty if it can be taken back.
	Blocked string
	// Diff shows what would change, in the unified format.
	Diff string
	// Additions and Deletions count lines; nil where they can't be compared.
	Additions, Deletions *int

	was, will file
	mode      fs.FileMode
	counts    Counts
}

// Undo says what taking back changes, the oldest first, would do; nothing is done before [Undoing.Apply]. A file is taken
// back if it still is as the last of them left it, and nobody but them changed it in between. load gives the bytes of a blob.
// Changes come from a log, which somebody else may have written, so the files are confined as for a call: outside names
// those outside of the session's folder that the user allowed.
func Undo(w Workspace, changes []Change, load func(sha string) ([]byte, error), outside []string) (*Undoing, error) {
	u := &Undoing{set: New(w), with: Options{Outside: outside}}
	var order []string
	chains := map[string][]Change{}
	for _, c := range changes {
		if chains[c.Path] == nil {
			order = append(order, c.Path)
		}
		chains[c.Path] = append(chains[c.Path], c)
	}
	for _, path := range order {
		undone := Undone{Path: path}
		if err := u.plan(&undone, chains[path], load); err != nil {
			undone.Blocked = err.Error()
		}
		u.Files = append(u.Files, undone)
	}
	if len(order) == 0 {
		return nil, errors.New("there are no changes to take back")
	}
	return u, nil
}

func (u *Undoing) plan(undone *Undone, chain []Change, load func(string) ([]byte, error)) error {
	p, err := u.place(undone.Path)
	if err != nil {
		return err
	}
	defer p.Close()
	for i := range chain { // those that were not made have been counted too
		lines := chain[i].counts()
		undone.counts.Additions -= lines.Additions
		undone.counts.Deletions -= lines.Deletions
	}
	if undone.was, err = p.before(); err != nil {
		return err
	}
	if chain = happened(chain, undone.was); len(chain) == 0 {
		return errors.New("there is nothing to take back")
	}
	for i := range chain[1:] {
		if !same(chain[i].After, chain[i+1].Before) {
			return errors.New("somebody else changed it between these changes")
		}
	}
	if err := isAsLeft(undone.was, chain[len(chain)-1].After); err != nil {
		return err
	}
	undone.mode = chain[0].Mode.Perm()
	if undone.mode == 0 { // of another version's log
		undone.mode = 0o600
	}
	if before := chain[0].Before; before != nil {
		data, err := load(*before)
		if err != nil {
			return fmt.Errorf("what was there before can't be read: %w", err)
		}
		if sum(data) != *before {
			return errors.New("what was there before is damaged")
		}
		undone.will = file{there: true, data: data, mode: undone.mode}
	}
	if undone.was.there == undone.will.there && bytes.Equal(undone.was.data, undone.will.data) {
		return errors.New("there is nothing to take back")
	}
	undone.Diff, undone.Additions, undone.Deletions = compare(p.shown, undone.was, undone.will)
	return nil
}

// happened leaves out of a file's changes those that were meant but, as what follows shows, not made.
func happened(chain []Change, now file) (made []Change) {
	var next *string
	if now.there {
		sha := sum(now.data)
		next = &sha
	}
	for _, c := range slices.Backward(chain) {
		if c.Meant && !same(c.After, next) && same(c.Before, next) {
			continue
		}
		made = append(made, c)
		next = c.Before
	}
	slices.Reverse(made)
	return made
}

// place looks up a path that must not lead anywhere else by now.
func (u *Undoing) place(path string) (*place, error) {
	j := &job{Set: u.set, ctx: context.Background(), with: u.with}
	p, err := j.place(path)
	if err != nil {
		return nil, err
	}
	if p.real != filepath.Clean(path) {
		p.Close()
		return nil, fmt.Errorf("it leads to %s by now", p.real)
	}
	return p, nil
}

func isAsLeft(was file, left *string) error {
	switch {
	case left == nil && was.there:
		return errors.New("it was made again since")
	case left != nil && !was.there:
		return errors.New("it was deleted since")
	case left != nil && sum(was.data) != *left:
		return errors.New("it was changed since")
	}
	return nil
}

func same(a, b *string) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

func sum(data []byte) string {
	hash := sha256.Sum256(data)
	return hex.EncodeToString(hash[:])
}

// State is the same as long as the same files are taken back from the same contents to the same.
func (u *Undoing) State() string {
	hash := sha256.New()
	for _, undone := range u.Files {
		for _, text := range []string{undone.Path, undone.Blocked} {
			_, _ = fmt.Fprintf(hash, "%q ", text) // a hash takes anything
		}
		for _, side := range []file{undone.was, undone.will} {
			_, _ = fmt.Fprintf(hash, "%t %s ", side.there, sum(side.data))
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// Meant is what [Undoing.Apply] is going to change, so that it can be written down first. What the files hold now is kept.
func (u *Undoing) Meant() (changes []Change, err error) {
	for _, undone := range u.Files {
		if undone.Blocked != "" {
			continue
		}
		change := Change{Path: undone.Path, Mode: undone.mode, Additions: undone.Additions, Deletions: undone.Deletions, Counts: &undone.counts}
		if undone.was.there {
			change.Mode = undone.was.info.Mode().Perm()
		}
		if err := u.set.keepSides(&change, undone.was, undone.will); err != nil {
			return nil, fmt.Errorf("%s: what it holds could not be kept: %w", undone.Path, err)
		}
		changes = append(changes, change)
	}
	return changes, nil
}

// Apply takes the files back that are not blocked. It returns the changes that it made, by which it can be undone itself,
// and the errors of the files that it could not take back, which are blocked from then on: they may have changed since they
// were shown. Files that were made are removed; the folders made with them stay.
func (u *Undoing) Apply() (made []Change, err error) {
	var failures []error
	for i := range u.Files {
		undone := &u.Files[i]
		if undone.Blocked != "" {
			continue
		}
		change, err := u.apply(*undone)
		if err != nil {
			undone.Blocked = err.Error()
			failures = append(failures, fmt.Errorf("%s: %w", undone.Path, err))
			continue
		}
		made = append(made, change)
	}
	return made, errors.Join(failures...)
}

func (u *Undoing) apply(undone Undone) (Change, error) {
	p, err := u.place(undone.Path)
	if err != nil {
		return Change{}, err
	}
	defer p.Close()
	change, _, err := u.set.save(p, undone.was, undone.will, undone.mode)
	return change, err
}
