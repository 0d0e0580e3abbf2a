package library

import (
	"cmp"
	"encoding/hex"
	"sync"

	"palimpsest/backend/sources"
)

// sure are the readings that are known to be of what their files hold. When one grows, not all that stands before is compared with what it
// was: that takes as long as the file is. So all is when somebody opens the session the next time, and when a program comes upon a grown
// reading that it has not made, unless that grew of one that it is sure of.
type sure struct {
	mu sync.Mutex
	of map[Ref]string
}

func (s *sure) note(ref Ref, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[Ref]string{}
	}
	s.of[ref] = id
}

func (s *sure) doubt(ref Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.of, ref)
}

func (s *sure) is(ref Ref, id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of[ref] == id
}

// holds tells whether a reading that is there is of what its files hold. One that was appended to since that was looked for is not judged.
func (l *Library) holds(f *sources.Found, id string, kept *slip) bool {
	ref := Ref{f.Agent, f.ID}
	from := cmp.Or(kept.Grew, kept.Begun)
	if from == "" || kept.Edge == 0 || l.sure.is(ref, id) {
		return true
	}
	if l.sure.is(ref, from) {
		l.sure.note(ref, id)
		return true
	}
	edge, err := l.Edge(f)
	if now := l.stampOf(f); hex.EncodeToString(now[:]) != kept.Stamp {
		return true
	}
	if err == nil && edge != kept.Edge {
		l.growing.keep(grower{ref: ref})
		return false
	}
	l.sure.note(ref, id)
	return true
}
