package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/copies"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// ErrShared marks a session that stands in one file with others, so that its files can't be kept.
var ErrShared = errors.New("it stands in a database with other sessions")

// withCopies adds to what a source found the sessions that are gone and were kept, and when the others were.
func (l *Library) withCopies(agent string, found map[string]sources.Found) error {
	if l.copies == nil {
		return nil
	}
	all, err := l.copies.All(agent)
	for i := range all {
		c := &all[i]
		if there, ok := found[c.ID]; ok {
			there.KeptAt = c.KeptAt
			found[c.ID] = there
		} else {
			found[c.ID] = c.Found(c.List)
		}
	}
	return err
}

// Keep makes a copy of a session's files that stays when its agent deletes them.
func (l *Library) Keep(ctx context.Context, ref Ref) (copies.Copy, error) {
	ctx, done := l.during(ctx)
	defer done()
	found, s, err := l.lookup(ctx, ref, false)
	if err != nil {
		return copies.Copy{}, err
	}
	if l.copies == nil {
		return copies.Copy{}, fmt.Errorf("session %s: copies are kept nowhere", ref)
	}
	if found.FromCopy {
		return l.copies.Copy(ref.Agent, ref.ID)
	}
	originals, err := l.originals(s, &found)
	if err != nil {
		return copies.Copy{}, fmt.Errorf("session %s: %w", ref, err)
	}
	c, err := l.copies.Keep(ctx, copies.New(&found, time.Now().UTC()), originals)
	if errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("session %s: %w: %w", ref, session.ErrNotFound, sources.ErrGone)
	}
	if err != nil {
		return c, fmt.Errorf("session %s: %w", ref, err)
	}
	s.keep(found.ID, c.KeptAt)
	return c, nil
}

// keep notes that a copy was made, and drop that there is none any more.
func (s *shelf) keep(id string, at time.Time) {
	s.note(id, func(found sources.Found) (sources.Found, bool) {
		found.KeptAt = at
		return found, true
	})
}

func (s *shelf) drop(id string) {
	s.note(id, func(found sources.Found) (sources.Found, bool) {
		found.KeptAt = time.Time{}
		return found, !found.FromCopy
	})
}

// note changes what is known of one session. The map that others read stays as it is.
func (s *shelf) note(id string, change func(sources.Found) (sources.Found, bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.found[id]
	if !ok {
		return
	}
	all := maps.Clone(s.found)
	if found, ok = change(found); ok {
		all[id] = found
	} else {
		delete(all, id)
	}
	s.found = all
}

// originals are the files of a session, and where they would stand in a home directory where nothing was moved.
func (l *Library) originals(s *shelf, found *sources.Found) ([]copies.Original, error) {
	files := found.Files
	if beside, ok := s.source.(sources.Beside); ok {
		files = append(slices.Clip(files), beside.Beside(l.env, *found)...)
	}
	placed := l.placed(s)
	out := make([]copies.Original, 0, len(files))
	for i, path := range files {
		if Shared(path) {
			return nil, ErrShared
		}
		below, ok := placed(path)
		if !ok && i == 0 {
			return nil, fmt.Errorf("%s is not where its agent keeps sessions", path)
		}
		if ok {
			out = append(out, copies.Original{Path: path, Below: below})
		}
	}
	return out, nil
}

// placed says where files of a source would stand below a home directory where nothing was moved.
func (l *Library) placed(s *shelf) func(path string) (string, bool) {
	plain := l.env
	plain.Getenv = func(string) string { return "" }
	here, usual := s.source.Roots(l.env), s.source.Roots(plain)
	return func(path string) (string, bool) { return place(path, here, usual, l.env.Home) }
}

// place is where a file would stand below a home directory: below the root that it is in, moved to where that usually is.
func place(path string, here, usual []string, home string) (string, bool) {
	for i, root := range here {
		rest, err := filepath.Rel(root, path)
		if err != nil || !filepath.IsLocal(rest) {
			continue
		}
		at := usual[0]
		for j, other := range usual {
			if other == root || len(here) == len(usual) && i == j {
				at = other
				break
			}
		}
		below, err := filepath.Rel(home, filepath.Join(at, rest))
		return below, err == nil && filepath.IsLocal(below)
	}
	below, err := filepath.Rel(home, path)
	return below, err == nil && filepath.IsLocal(below)
}

// readCopy reads a session whose own files are gone: its copy is laid out as a home directory for as long as that takes.
func (l *Library) readCopy(ctx context.Context, s *shelf, found sources.Found, log *sources.Log) error {
	if err := os.MkdirAll(l.env.Temp, 0o700); err != nil {
		return fmt.Errorf("making room to read it: %w", err)
	}
	home, err := os.MkdirTemp(l.env.Temp, "kept-*")
	if err != nil {
		return fmt.Errorf("making room to read it: %w", err)
	}
	defer func() { l.warnIf(os.RemoveAll(home)) }()
	if err := l.copies.Unpack(ctx, found.Agent, found.ID, home); err != nil {
		if errors.Is(err, copies.ErrNone) {
			return sources.ErrGone
		}
		return err
	}
	env := l.env
	env.Home, env.Getenv = home, func(string) string { return "" }
	var there *sources.Found
	err = s.source.Find(ctx, env, func(f sources.Found) error {
		if f.ID == found.ID {
			f.Agent = found.Agent
			there = &f
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case there == nil:
		return fmt.Errorf("%w: %s does not find the session in it", copies.ErrDamaged, found.Agent)
	case there.Problem != "":
		return fmt.Errorf("%w: %s", copies.ErrDamaged, strings.TrimSuffix(there.Problem, "."))
	}
	return s.source.Read(ctx, env, *there, log)
}

// Retention is how an agent deletes its own sessions.
type Retention struct {
	Agent string
	sources.Retention
}

// Retentions are the rules of the agents that delete sessions, or may.
func (l *Library) Retentions() []Retention {
	var out []Retention
	for _, s := range l.shelves {
		if retainer, ok := s.source.(sources.Retainer); ok {
			out = append(out, Retention{s.source.Agent(), retainer.Retention(l.env)})
		}
	}
	return out
}

// Shared tells that a file is a database, which holds many sessions.
func Shared(path string) bool {
	switch filepath.Ext(path) {
	case ".db", ".sqlite", ".sqlite3":
		return true
	}
	return false
}

// Drop removes the copy of a session.
func (l *Library) Drop(ref Ref) error {
	if l.copies == nil {
		return copies.ErrNone
	}
	if err := l.copies.Remove(ref.Agent, ref.ID); err != nil {
		return fmt.Errorf("session %s: %w", ref, err)
	}
	for _, s := range l.shelves {
		if s.source.Agent() == ref.Agent {
			s.drop(ref.ID)
		}
	}
	return nil
}
