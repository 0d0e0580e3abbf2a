package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"palimpsest/backend/copies"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// withCopies adds to what a source found the sessions that are gone and were kept, and when the others were.
func (l *Library) withCopies(agent string, found map[string]*sources.Found) error {
	if l.copies == nil {
		return nil
	}
	all, err := l.copies.All(agent)
	for i := range all {
		c := &all[i]
		if there, ok := found[c.ID]; ok {
			too := *there // which may be somebody's already
			too.KeptAt = c.KeptAt
			found[c.ID] = &too
		} else {
			gone := c.Found(c.List)
			gone.Stood = filepath.Join(l.env.Home, filepath.FromSlash(c.Files[0].Path))
			found[c.ID] = &gone
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
	dir, err := l.room("excerpt-*")
	if err != nil {
		return copies.Copy{}, fmt.Errorf("session %s: %w", ref, err)
	}
	defer func() { l.warnIf(os.RemoveAll(dir)) }()
	originals, err := l.originals(ctx, s, &found, dir)
	if errors.Is(err, sources.ErrGone) {
		err = fmt.Errorf("%w: %w", session.ErrNotFound, err)
	}
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
	if changed, ok := change(*found); ok {
		all[id] = &changed
	} else {
		delete(all, id)
	}
	s.found = all
}

// room makes a directory for copies that are gone after use.
func (l *Library) room(pattern string) (string, error) {
	if err := os.MkdirAll(l.env.Temp, 0o700); err != nil {
		return "", fmt.Errorf("making room for a copy: %w", err)
	}
	dir, err := os.MkdirTemp(l.env.Temp, pattern)
	if err != nil {
		return "", fmt.Errorf("making room for a copy: %w", err)
	}
	return dir, nil
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
