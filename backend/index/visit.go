package index

import (
	"context"
	"slices"
	"time"

	"palimpsest/backend/automaton"
)

// visitTime is how long package regexp may take for the first visit of a search, however short its budget is: what is too long for that is
// passed over, so that the next search does not begin with it again.
const visitTime = time.Second

// windowMost is how much of a long text is looked at as one; parts that are longer share windowShared.
const (
	windowMost   = 4 << 20
	windowShared = 64 << 10
)

// hit is a text that was found.
type hit struct {
	chunk *chunk
	found found
}

// scan looks at texts one after the other.
type scan struct {
	*search
	session *seen
	passage passage
	read    func(id int64) ([]chunk, error)
	scanned int
	// patience is for the visit that is made, and undecided says that it was not enough: of some text it is not known whether it is a hit.
	patience  *automaton.Patience
	undecided bool
	// Of the text that is looked at:
	first  *chunk
	have   []bool
	out    bool
	match  found
	window []byte
}

func (s *search) newScan(ctx context.Context, session *seen) *scan {
	return &scan{search: s, session: session, have: make([]bool, len(s.all)), read: func(id int64) ([]chunk, error) { return s.block(ctx, id) }}
}

// block reads a block.
func (s *search) block(ctx context.Context, id int64) ([]chunk, error) {
	if chunks, ok := s.x.texts.get(id); ok {
		return chunks, nil
	}
	chunks, err := readBody(ctx, s.store.read, id)
	if err == nil {
		s.x.texts.put(id, chunks)
	}
	return chunks, err
}

// begin begins a visit of a search that goes on until a time, the first one or another.
func (s *scan) begin(until time.Time, first bool) {
	s.patience, s.undecided = nil, false
	if until.IsZero() {
		return
	}
	left := time.Until(until)
	if first {
		left = max(left, s.x.patience)
	}
	s.patience = automaton.NewPatience(left)
}

// visit calls f for the hits of the session in a unit.
func (s *scan) visit(ctx context.Context, u *unit, f func(hit)) error {
	for i, a := range u.abouts {
		if len(u.abouts) > 1 && !s.whole && !s.worth.has(u.blocks[i]) && i+1 < len(u.abouts) {
			continue
		}
		if !slices.ContainsFunc(a.parts, func(p part) bool { return p.session == s.session.row }) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		chunks, err := s.read(a.id)
		if err != nil {
			return err
		}
		s.scanned++
		for j := range chunks {
			if c := &chunks[j]; s.wants(c) {
				s.chunk(ctx, c, f)
			}
		}
	}
	return ctx.Err()
}

// wants says whether a text is to be looked at.
func (s *scan) wants(c *chunk) bool {
	return c.session == s.session.row && s.scopes.has(c.scope) && !s.view.pending[c.write] &&
		(len(s.query.Tools) == 0 || slices.Contains(s.query.Tools, c.tool)) && (c.scope != Name || c.n >= s.session.named)
}

// chunk looks at a text or a piece of one.
func (s *scan) chunk(ctx context.Context, c *chunk, f func(hit)) {
	if s.first == nil || s.first.n != c.n || s.first.write != c.write {
		s.first, s.out, s.match = c, false, found{}
		s.window = s.window[:0]
		clear(s.have)
	}
	switch {
	case !c.split() || !s.whole:
		s.look(ctx, c.text)
	default:
		s.window = append(s.window, c.text[:len(c.text)-c.over]...)
		if !c.more {
			s.look(ctx, s.window)
			s.match = s.match.kept()
		} else if len(s.window) >= windowMost {
			s.look(ctx, s.window)
			s.match = s.match.kept()
			rest := border(s.window, len(s.window)-windowShared)
			s.window = append(s.window[:0], s.window[rest:]...)
		}
	}
	if c.more {
		return
	}
	if !s.out && !slices.Contains(s.have, false) && (s.query.KeepText == nil || s.query.KeepText(s.session.id, c.line, c.part, c.time)) {
		f(hit{s.first, s.match})
	}
	s.first = nil
}

// look looks for the patterns that were not found yet.
func (s *scan) look(ctx context.Context, text []byte) {
	if s.out {
		return
	}
	if len(s.all) == 0 && s.match.text == nil {
		s.match = found{text: text}
	}
	s.passage.set(text)
	split := s.first.split()
	for i, n := range s.all {
		if s.have[i] {
			continue
		}
		start, end, ok := n.in(ctx, &s.passage, s.patience)
		switch {
		case !ok:
			s.out, s.undecided = true, true
			return
		case start >= 0:
			s.have[i] = true
			if i == 0 {
				s.match = found{text, start, end}
			}
		case !split:
			return
		}
	}
	for _, n := range s.none {
		if start, _, ok := n.in(ctx, &s.passage, s.patience); start >= 0 || !ok {
			s.out, s.undecided = true, s.undecided || !ok
			return
		}
	}
}
