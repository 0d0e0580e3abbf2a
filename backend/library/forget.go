package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// Forget removes what is left of a session whose files are gone: its readings, where it ended, and what was remembered of its files. Its caller has counted
// in [Options.Forgets] that it does. A reading that is being made here is waited for, and one that is made by another program finds out.
func (l *Library) Forget(ctx context.Context, ref Ref) error {
	l.openings.stop(ref)
	release, err := l.locks.lock(ctx, ref)
	if err != nil {
		return fmt.Errorf("session %s: %w", ref, err)
	}
	defer release()
	readings, err := l.readingsOf(ref)
	errs := []error{err}
	for _, reading := range readings {
		errs = append(errs, os.RemoveAll(l.dir(reading)))
	}
	if err := os.Remove(l.tailPath(ref)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
	}
	l.growing.keep(grower{ref: ref})
	l.env.Memory.Forget(ref.Agent, idIs(ref))
	return errors.Join(append(errs, l.env.Memory.Save())...)
}

// Left tells whether there is anything that [Library.Forget] removes, and where the session stood if that is remembered.
func (l *Library) Left(ref Ref) (path string, some bool) {
	if path, some = l.env.Memory.Where(ref.Agent, idIs(ref)); some {
		return path, true
	}
	readings, err := l.readingsOf(ref)
	l.warnIf(err)
	_, err = os.Stat(l.tailPath(ref))
	return "", len(readings) > 0 || err == nil
}

// readingsOf are all readings of a session.
func (l *Library) readingsOf(ref Ref) ([]string, error) {
	id := idOf(&sources.Found{Agent: ref.Agent, ID: ref.ID}, stamp{})
	all, err := fs.Glob(os.DirFS(filepath.Join(l.store.Home(), "sessions")), "??????????"+nameIn(id)+"*")
	if err != nil {
		return nil, fmt.Errorf("looking for readings of %s: %w", ref, err)
	}
	return all, nil
}

// idIs tells whether an id is that of a session, which its source may call something else.
func idIs(ref Ref) func(id string) bool {
	return func(id string) bool { return tame(id) == ref.ID }
}

// stays removes a reading again if its session was forgotten since it was begun.
func (l *Library) stays(ctx context.Context, r *Reading, since int64) error {
	ref := Ref{r.Agent, r.Session}
	if !l.forgets.Since(since, ref.String()) {
		return nil
	}
	_, _, err := l.lookup(ctx, ref, true)
	if !errors.Is(err, session.ErrNotFound) {
		return nil // nobody forgets what can't be looked for
	}
	l.growing.keep(grower{ref: ref})
	return errors.Join(err, os.RemoveAll(l.dir(r.ID)))
}
