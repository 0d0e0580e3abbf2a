package index

import (
	"cmp"
	"context"
	"slices"
)

// search is a query on its way.
type search struct {
	x      *Index
	store  *store
	view   *view
	query  Query
	opts   Options
	all    []*needle
	none   []*needle
	scopes scopeSet
	// whole says that a long text is looked at as one, since a match may be longer than what its pieces share.
	whole bool
	// worth says which blocks may hold something of a pattern: those between can be left out of a long text.
	worth bitset
}

// visit is a unit to be looked at for a session.
type visit struct {
	unit        *unit
	rank        uint8 // the best there may be
	first, last int64 // of the session's texts
}

// task is a session to be looked at.
type task struct {
	session *seen
	visits  []visit
}

// plan says what is to be looked at: the sessions that may have a hit, the newest first.
func (s *search) plan(ctx context.Context, from place) ([]task, error) {
	units, err := s.sift(ctx)
	if err != nil {
		return nil, err
	}
	bySession := map[int64]*task{}
	for _, u := range units {
		s.assign(u, bySession, from)
	}
	tasks := make([]task, 0, len(bySession))
	for _, t := range bySession {
		if t != nil && len(t.visits) > 0 {
			slices.SortFunc(t.visits, s.order)
			tasks = append(tasks, *t)
		}
	}
	slices.SortFunc(tasks, func(a, b task) int {
		if c := cmp.Compare(toNano(b.session.updated), toNano(a.session.updated)); c != 0 {
			return c
		}
		return cmp.Compare(a.session.id, b.session.id)
	})
	return tasks, nil
}

// order is in which visits are made: where the best hit may be first, or in the order of the texts if all are wanted.
func (s *search) order(a, b visit) int {
	if s.opts.Session != "" {
		return cmp.Compare(a.first, b.first)
	}
	if c := cmp.Compare(a.rank, b.rank); c != 0 {
		return c
	}
	return cmp.Compare(b.last, a.last)
}

// sift is which units may have a hit.
func (s *search) sift(ctx context.Context) ([]*unit, error) {
	sieve := newSieve(s.store, s.view, s.x.shape)
	s.worth = make(bitset, (s.view.blocks()+63)/64)
	for _, n := range slices.Concat(s.all, s.none) {
		if err := sieve.learn(ctx, n.need); err != nil {
			return nil, err
		}
		if n.isExpression() || len(n.folded) > sieve.most {
			s.whole = true
		}
		if n.need != nil && n.need.literal != nil {
			for i, w := range sieve.blocks[string(n.need.literal)] {
				s.worth[i] |= w
			}
		}
	}
	s.whole = s.whole || len(s.all) == 0 || slices.ContainsFunc(s.all, func(n *needle) bool { return n.need == nil })
	var tool bitset
	for _, name := range s.query.Tools {
		of, err := sieve.ask(ctx, []uint32{hashTool(name)})
		if err != nil {
			return nil, err
		}
		tool = tool.or(of)
	}
	var out []*unit
	for i := range s.view.units {
		u := &s.view.units[i]
		if tool != nil && !slices.ContainsFunc(u.blocks, tool.has) {
			continue
		}
		if !slices.ContainsFunc(s.all, func(n *needle) bool { return !sieve.may(n.need, u) }) {
			out = append(out, u)
		}
	}
	return out, nil
}

// assign gives a unit to the sessions that have texts in it.
func (s *search) assign(u *unit, tasks map[int64]*task, from place) {
	for _, a := range u.abouts {
		for i := range a.parts {
			p := &a.parts[i]
			if p.scopes&s.scopes == 0 || !s.view.shows(p) {
				continue
			}
			t, known := tasks[p.session]
			if !known {
				t = s.task(s.view.sessions[p.session], from)
				tasks[p.session] = t
			}
			if t != nil {
				t.add(u, p, s.scopes, from)
			}
		}
	}
}

// task is that of a session; nil if it is not to be looked at.
func (s *search) task(session *seen, from place) *task {
	switch {
	case s.opts.Session != "" && session.id != s.opts.Session,
		s.opts.Session == "" && from.passed(session),
		s.query.Keep != nil && !s.query.Keep(session.id):
		return nil
	}
	return &task{session: session}
}

// add adds a visit, or what a unit has more of to the one before.
func (t *task) add(u *unit, p *part, scopes scopeSet, _ place) {
	v := visit{unit: u, rank: (p.scopes & scopes).best(), first: p.first, last: p.last}
	if n := len(t.visits); n > 0 && t.visits[n-1].unit == u {
		before := &t.visits[n-1]
		before.rank, before.first, before.last = min(before.rank, v.rank), min(before.first, v.first), max(before.last, v.last)
		return
	}
	t.visits = append(t.visits, v)
}
