package opencode

import (
	"slices"

	"palimpsest/backend/many"
)

// span are messages from one to another, by their places in the session, both included.
type span struct{ from, to int }

// course is which messages of a session opencode sends, and in which order.
type course struct {
	// places are where messages stand.
	places many.IDs
	// marks are those that were read, and answers all that there are; byMark are these by what they answer.
	marks   []mark
	answers []answer
	byMark  map[string][]answer
	// last is where the last message stands.
	last int
	// finishes tells that answers say how they ended, as they do since 0.6.
	finishes bool
}

// mark is where a compaction begins: where it stands, and the message that it keeps from. Tailed tells that it says so at all.
type mark struct {
	at             int
	id, tail       string
	tailed         bool
	auto, overflow bool
}

// answer is one to a mark, a summary: whether it says that it ended, or has an end at least, or may go on.
type answer struct {
	at                    int
	id, to                string
	finished, ended, open bool
}

// place is where a message stands, -1 if it is not there.
func (s *course) place(id string) int {
	if at, is := s.places.Get(id); is && id != "" {
		return at
	}
	return -1
}

// whole tells whether a summary came to its end.
func (s *course) whole(a answer) bool { return a.finished || !s.finishes && a.ended }

// answered is where the first answer to a mark stands behind it, up to a place, the first whole one if that is asked for; -1 if there is none.
func (s *course) answered(m mark, to int, whole bool) int {
	for _, a := range s.byMark[m.id] {
		if a.at > m.at && a.at <= to && (s.whole(a) || !whole) {
			return a.at
		}
	}
	return -1
}

// to is what opencode sends when the session has come to a place. It looks from there back for a mark whose compaction has its summary: what
// is before that goes, or what is before the message that it keeps from, which is sought only before the mark. Of what is left the last mark
// that keeps something, and all up to its answer, come before what it keeps; what is before that goes.
func (s *course) to(to int) []span {
	from, last := 0, -1
	for i, m := range slices.Backward(s.marks) {
		if m.at > to {
			continue
		}
		if last < 0 && m.tailed {
			last = i
		}
		if s.answered(m, to, true) < 0 {
			continue
		}
		from = m.at
		if m.tail != "" && m.tail != m.id {
			from = max(s.place(m.tail), 0)
			if from > m.at {
				from = 0
			}
		}
		break
	}
	if last >= 0 && s.marks[last].at >= from {
		m := s.marks[last]
		answer, kept := s.answered(m, to, false), -1
		if m.tail != "" {
			kept = s.place(m.tail)
		}
		if answer >= 0 && from <= kept && kept < m.at {
			return joined([]span{{m.at, answer}, {kept, m.at - 1}, {answer + 1, to}})
		}
	}
	return joined([]span{{from, to}})
}

// joined leaves out empty spans, and joins those of which one goes on where the other ends.
func joined(all []span) (out []span) {
	for _, one := range all {
		switch n := len(out); {
		case one.to < one.from:
		case n > 0 && out[n-1].to+1 == one.from:
			out[n-1].to = one.to
		default:
			out = append(out, one)
		}
	}
	return out
}
