package opencode

import "palimpsest/backend/many"

// span are messages from one to another, by their places in the session, both included.
type span struct{ from, to int }

// course is which messages of a session opencode sends, and in which order.
type course struct {
	// places are where messages stand, and turns what is known of each.
	places many.IDs
	turns  many.List[known]
	// answers and answered are the summaries and what they answer, until it is known where they stand; whether they came to an end is in ends.
	answers, answered many.Texts
	ends              many.List[end]
	// tails are what marks keep from, as they say it.
	tails many.Texts
	// last is where the last message stands.
	last int
	// finishes tells that answers say how they ended, as they do since 0.6; marked that a message was a mark, and newest is the last that was.
	finishes, marked bool
	newest           int
	// finishing is where the first one that says how it ended stands.
	finishing int
	// come is how many messages were looked at for what is sent; tailed is the last mark of these that keeps something, and settled the last
	// one that has its summary among them, -1 for none.
	come, tailed, settled int
	// looks is how often what is known of a message was looked at: a test bounds it.
	looks int
}

// known is what one message is to the course: whether it is a mark, where a compaction begins, or an answer to one, a summary. Places are -1 where
// there is none.
type known struct {
	marking
	// first is the first answer that stands behind it; done tells that one is whole, wherever it stands.
	first int32
	done  bool
	// answer is set for one, with what it answers in to.
	answer bool
	end
	to int32
	// before is the last whole answer up to here.
	before int32
}

// marking is what a message says of itself if it is a mark.
type marking struct {
	mark, tailed, auto, overflow bool
	// tail is what it keeps from, by its number, and kept where that stands.
	tail, kept int32
}

// end is whether a summary says that it ended, or has an end at least, or may go on.
type end struct{ finished, ended, open bool }

// place is where a message stands, -1 if it is not there.
func (s *course) place(id string) int {
	if at, is := s.places.Get(id); is && id != "" {
		return at
	}
	return -1
}

// at is what is known of the message at a place.
func (s *course) at(place int) known {
	s.looks++
	return s.turns.At(place)
}

// isWhole tells whether a summary came to its end.
func (s *course) isWhole(e end) bool { return e.finished || !s.finishes && e.ended }

// comeTo goes on to a place, with the marks up to there known: what is sent then is told by the last mark that keeps something and by the last one that
// has its summary. Nothing is looked at twice, but where a revert goes back.
func (s *course) comeTo(to int) {
	if to < s.come-1 {
		s.come, s.tailed, s.settled = 0, -1, -1
	}
	for ; s.come <= to; s.come++ {
		here := s.at(s.come)
		if here.mark && here.tailed {
			s.tailed = s.come
		}
		if here.answer && s.isWhole(here.end) && int(here.to) > s.settled && s.at(int(here.to)).mark && int(here.to) < s.come {
			s.settled = int(here.to)
		}
	}
}

// to is what opencode sends when the session has come to a place. It looks from there back for a mark whose compaction has its summary: what
// is before that goes, or what is before the message that it keeps from, which is sought only before the mark. Of what is left the last mark
// that keeps something, and all up to its answer, come before what it keeps; what is before that goes.
func (s *course) to(to int) []span {
	s.comeTo(to)
	from := 0
	if s.settled >= 0 {
		from = s.settled
		if m := s.at(from); m.tail >= 0 && int(m.kept) != from {
			if from = max(int(m.kept), 0); from > s.settled {
				from = 0
			}
		}
	}
	if at := s.tailed; at >= from {
		m := s.at(at)
		if answer, kept := int(m.first), int(m.kept); answer >= 0 && answer <= to && from <= kept && kept < at {
			return joined([]span{{at, answer}, {kept, at - 1}, {answer + 1, to}})
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
