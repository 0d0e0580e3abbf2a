package library

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"palimpsest/backend/reach"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// Listing is what a search found, in no order, and why some sources could not be searched. What was found is the library's own, and not to
// be changed.
type Listing struct {
	Found    []*sources.Found
	Problems []error
	// Unseen tells of folders that could not be looked into, where the search did not fail.
	Unseen []error
	// Hidden are those that were found before in folders that do not answer now, and Silent are the agents with such folders.
	Hidden []*sources.Found
	Silent map[string]error
	// Searched are the agents whose search did not fail: a session of theirs that is not found is not there.
	Searched map[string]bool
}

// List searches every source.
func (l *Library) List(ctx context.Context) (Listing, error) {
	if err := l.searchAll(ctx); err != nil {
		return Listing{}, err
	}
	count := 0
	for _, s := range l.shelves {
		count += len(s.all())
	}
	out := Listing{Found: make([]*sources.Found, 0, count), Searched: map[string]bool{}, Silent: map[string]error{}}
	for _, s := range l.shelves {
		for _, found := range s.all() {
			out.Found = append(out.Found, found)
		}
		out.Hidden = append(out.Hidden, s.allHidden()...)
		if unseen := s.lacks(); unseen != nil {
			out.Unseen = append(out.Unseen, unseen)
		}
		if _, _, problem := s.last(); problem != nil {
			out.Problems = append(out.Problems, fmt.Errorf("sessions of %s: %w", s.source.Agent(), problem))
			if errors.Is(problem, reach.ErrNoAnswer) {
				out.Silent[s.source.Agent()] = problem
			}
			continue
		}
		out.Searched[s.source.Agent()] = true
	}
	return out, nil
}

// PutOff tells whether a search has put off anything.
func (l *Library) PutOff() bool { return l.env.Memory.PutOff() }

// CatchUp reads what a search has put off, since lists can't wait for it, and tells whether that was anything: then what another search
// finds is told of in full. It asks further, if it is not nil, before each session whether to go on.
func (l *Library) CatchUp(ctx context.Context, further func() bool) (some bool, err error) {
	ctx, done := l.during(ctx)
	defer done()
	if some, err = l.env.Memory.CatchUp(ctx, further); err != nil {
		return some, fmt.Errorf("reading sessions of other agents to compare them: %w", err)
	}
	return some, nil
}

// CatchUpFew is [Library.CatchUp] of what was put off of files of so many bytes at most, for a list that waits so long. What can't be
// read stays put off.
func (l *Library) CatchUpFew(ctx context.Context, most int64) (some bool) {
	ctx, done := l.during(ctx)
	defer done()
	some, _ = l.env.Memory.CatchUpFew(ctx, most) // who stopped waiting is told by what asked
	return some
}

// CatchUpOf is [Library.CatchUp] of one session, of which all is known then.
func (l *Library) CatchUpOf(ctx context.Context, ref Ref) error {
	ctx, done := l.during(ctx)
	defer done()
	found, s, err := l.lookup(ctx, ref, false)
	if err != nil || found.FromCopy || found.InTables() || len(found.Files) == 0 {
		return err
	}
	some, err := l.env.Memory.CatchUpOf(ctx, found.Files[0])
	if err != nil || !some {
		return err
	}
	return s.search(ctx, l.env)
}

// Agent is what is known of one source.
type Agent struct {
	Name  string
	Roots []string
	// Count is the number of sessions.
	Count int
	// Problem is why the last search failed, or could not look everywhere; nil if neither.
	Problem error
	// Capabilities say what is read of its sessions.
	Capabilities []sources.Capability
}

// Agents searches every source and tells what is known of each.
func (l *Library) Agents(ctx context.Context) ([]Agent, error) {
	if err := l.searchAll(ctx); err != nil {
		return nil, err
	}
	agents := make([]Agent, len(l.shelves))
	for i, s := range l.shelves {
		_, _, problem := s.last()
		agents[i] = Agent{s.source.Agent(), s.source.Roots(l.env), len(s.all()), errors.Join(problem, s.lacks()), s.source.Capabilities()}
	}
	return agents, nil
}

// Capability is what an agent's source makes of one thing.
func (l *Library) Capability(agent, what string) sources.Capability {
	for _, s := range l.shelves {
		if s.source.Agent() != agent {
			continue
		}
		for _, c := range s.source.Capabilities() {
			if c.What == what {
				return c
			}
		}
	}
	return sources.Capability{What: what, How: sources.Missing}
}

func (l *Library) searchAll(ctx context.Context) error {
	ctx, done := l.during(ctx)
	defer done()
	var wg sync.WaitGroup
	defer wg.Wait()
	room := make(chan struct{}, searchers)
	errs := make(chan error, len(l.shelves))
	for _, s := range l.shelves {
		wg.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			errs <- s.search(ctx, l.env)
		})
	}
	for range l.shelves {
		if err := <-errs; err != nil {
			return fmt.Errorf("looking for sessions of other agents: %w", err)
		}
	}
	return nil
}

// Lookup returns a session that is there.
func (l *Library) Lookup(ctx context.Context, ref Ref) (sources.Found, error) {
	ctx, done := l.during(ctx)
	defer done()
	found, _, err := l.lookup(ctx, ref, false)
	return found, err
}

// Readable says why nothing can be read of a session as it is now, nil if something can.
func (l *Library) Readable(ctx context.Context, ref Ref) error {
	ctx, done := l.during(ctx)
	defer done()
	found, _, err := l.lookup(ctx, ref, true)
	if err == nil && found.Problem != "" {
		return unreadable(&found)
	}
	return err
}

// Complete finds the one session that is named, or whose id begins so. None is [session.ErrNotFound], several are [session.ErrInput]. The
// id of a session stands in those of its subagents: it names none of them, and what it begins with is the session's.
func (l *Library) Complete(ctx context.Context, ref Ref) (Ref, error) {
	const least = 6
	ctx, done := l.during(ctx)
	defer done()
	_, s, err := l.lookup(ctx, ref, false)
	if err == nil || s == nil || len(ref.ID) < least || !errors.Is(err, session.ErrNotFound) {
		return ref, err
	}
	begin := meantBy(s.all(), ref.ID)
	switch len(begin) {
	case 0:
		return ref, err
	case 1:
		return Ref{ref.Agent, begin[0]}, nil
	}
	return ref, fmt.Errorf("%w: %s is the beginning of %d sessions' ids, such as %s and %s", session.ErrInput, ref, len(begin), begin[0], begin[1])
}

// meantBy are the ids that begin so, in order, without those of subagents whose ids begin with that of their session if that is meant.
func meantBy(all map[string]*sources.Found, prefix string) (ids []string) {
	for id, found := range all {
		_, there := all[found.Parent]
		below := found.Parent == prefix || there && strings.HasPrefix(id, found.Parent) && strings.HasPrefix(found.Parent, prefix)
		if strings.HasPrefix(id, prefix) && !below {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// lookup also tells where the session stands. It searches if that is wanted, or due.
func (l *Library) lookup(ctx context.Context, ref Ref, anew bool) (sources.Found, *shelf, error) {
	for _, s := range l.shelves {
		if s.source.Agent() != ref.Agent {
			continue
		}
		found, known := s.all()[ref.ID]
		if !known || anew || s.old() {
			if err := s.search(ctx, l.env); err != nil {
				return sources.Found{}, s, fmt.Errorf("looking for %s: %w", ref, err)
			}
			found, known = s.all()[ref.ID]
		}
		if holder := l.unlooked(s, ref.ID); holder != "" && (!known || found.FromCopy) {
			if _, err := l.env.Memory.CatchUpOf(ctx, holder); err != nil {
				return sources.Found{}, s, fmt.Errorf("looking for %s: %w", ref, err)
			}
			if err := s.search(ctx, l.env); err != nil {
				return sources.Found{}, s, fmt.Errorf("looking for %s: %w", ref, err)
			}
			found, known = s.all()[ref.ID]
		}
		if known {
			return *found, s, nil
		}
		if _, _, problem := s.last(); problem != nil {
			return sources.Found{}, s, fmt.Errorf("session %s: looking for it: %w", ref, problem)
		}
		return sources.Found{}, s, &MissingError{ref}
	}
	return sources.Found{}, nil, fmt.Errorf("session %s: %w: sessions of %s are not read by this version", ref, session.ErrNotFound, ref.Agent)
}
