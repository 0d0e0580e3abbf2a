package index

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Search looks for a query. Without an answer in the budget it says how far it came; a query that can't be is an error.
func (x *Index) Search(ctx context.Context, q Query, opts Options) (Found, error) {
	s := search{x: x, query: q, opts: opts, scopes: setOf(q.Scopes)}
	var err error
	if s.all, err = newNeedles(q.All); err != nil {
		return Found{}, err
	}
	if s.none, err = newNeedles(q.None); err != nil {
		return Found{}, err
	}
	from, err := parsePlace(opts.Cursor)
	if err != nil {
		return Found{}, err
	}
	var until time.Time
	if opts.Budget > 0 {
		until = time.Now().Add(opts.Budget)
	}
	var out Found
	err = x.do(ctx, "searching the index", func(st *store) error {
		s.store = st
		out, err = s.tries(ctx, from, until)
		return err
	})
	return out, err
}

// tries searches the index as it is, and again if blocks were moved meanwhile.
func (s *search) tries(ctx context.Context, from place, until time.Time) (Found, error) {
	const most = 20
	last := int64(-1)
	for try := 0; ; try++ {
		var err error
		if s.view, err = s.x.look(ctx, s.store); err != nil {
			return Found{}, err
		}
		if last == s.view.state.version {
			return Found{}, fmt.Errorf("%w: %w", errDamaged, errMissing)
		}
		last = s.view.state.version
		out, err := s.once(ctx, from, until)
		if !errors.Is(err, errMissing) || try == most {
			return out, err
		}
	}
}

func (s *search) once(ctx context.Context, from place, until time.Time) (Found, error) {
	s.whole = false
	tasks, err := s.plan(ctx, from)
	if err != nil {
		return Found{}, err
	}
	if s.opts.Session != "" {
		return s.one(ctx, tasks, from, until)
	}
	r := &run{search: s, from: from, until: until, tasks: tasks, results: make([]result, len(tasks))}
	return r.all(ctx)
}
