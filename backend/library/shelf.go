package library

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"palimpsest/backend/reach"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/waits"
)

// shelf is what one source has found.
type shelf struct {
	source sources.Source
	// copies adds the sessions that are gone, and were kept.
	copies func(agent string, found map[string]*sources.Found) error
	// turn is held by who searches.
	turn chan struct{}

	mu    sync.Mutex
	found map[string]*sources.Found
	// began and took are those of the last search; problem is why it failed.
	began   time.Time
	took    time.Duration
	problem error
	// unseen tells of folders that the last search could not look into.
	unseen error
	// hidden are what was found before in folders that do not answer.
	hidden []*sources.Found
	// away tells whether the source's folders answer, and probing is the question that is under way. They are asked again while a search
	// lasts: again and again, after that long.
	away    *reach.Reach
	probing *probe
	again   time.Duration
}

// searchNow looks for the source's sessions. One that began after it was asked for does for all who asked.
func (s *shelf) searchNow(ctx context.Context, env sources.Env, asked time.Time) error {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-s.turn }()
	if began, _, _ := s.last(); began.After(asked) {
		return nil
	}
	began := time.Now()
	found := map[string]*sources.Found{}
	var unseen denied
	env.Denied = unseen.add
	err := s.find(ctx, env, found)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		known := found
		found = maps.Clone(s.found)
		if found == nil {
			found = map[string]*sources.Found{}
		}
		for _, f := range s.hidden {
			found[f.ID] = f
		}
		maps.Copy(found, known)
	}
	err = errors.Join(err, s.copies(s.source.Agent(), found))
	s.hidden, s.found, s.began, s.took, s.problem, s.unseen = nil, found, began, time.Since(began), err, unseen.err(s.source.Agent())
	return nil
}

// find turns a panic into an error: one source that is at its end hides none of the others.
func (s *shelf) find(ctx context.Context, env sources.Env, found map[string]*sources.Found) (err error) {
	defer recovered(&err, s.source, "looking for sessions")
	defer waits.Begin()()
	_ = os.MkdirAll(env.Temp, 0o700) // a source that needs it says that it is not there
	return s.source.Find(ctx, env, func(f sources.Found) error {
		if f.ID != "" {
			f.Agent = s.source.Agent()
			f = timed(tamed(f))
			found[f.ID] = &f
		}
		return ctx.Err()
	})
}

// timed is a session with a time that can be: where none of its own is known, or one that is yet to come, when its file was written last. A
// database is written to for others, too: there it is when the session was begun, if that is known.
func timed(f sources.Found) sources.Found {
	if session.IsToCome(f.CreatedAt) {
		f.CreatedAt = time.Time{}
	}
	if session.IsToCome(f.UpdatedAt) || f.CreatedAt.IsZero() && f.UpdatedAt.IsZero() {
		f.UpdatedAt = time.Time{}
		if f.InTables() && !f.CreatedAt.IsZero() {
			f.UpdatedAt = f.CreatedAt
		} else if len(f.Files) > 0 {
			if info, err := os.Stat(f.Files[0]); err == nil {
				f.UpdatedAt = info.ModTime()
			}
		}
	}
	return f
}

func recovered(err *error, source sources.Source, doing string) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s of %s: a mistake in the program: %v\n%s", doing, source.Agent(), r, debug.Stack())
	}
}

func (s *shelf) last() (began time.Time, took time.Duration, problem error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.began, s.took, s.problem
}

// all is everything that was found. Neither the map nor what is in it is changed any more.
func (s *shelf) all() map[string]*sources.Found {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.found
}

// old tells that the last search says little about now.
func (s *shelf) old() bool {
	const least, times = time.Second, 10
	began, took, _ := s.last()
	return began.IsZero() || since(began) > max(least, times*took)
}
