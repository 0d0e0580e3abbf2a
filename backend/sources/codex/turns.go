package codex

import "math"

// A rollback takes turns off whole, and a compaction that told the context is of the turn that it stands in. Codex tells turns by where they
// are said to begin; what is between two such places is one, and a file that says nothing of turns is one from its first line to its last.

// turnSpan is what stands between two places where turns begin.
type turnSpan struct {
	// rolled is how many turns were taken back in it.
	rolled int64
	// begin is the turn that it begins with, named the one that something in it names last, 0 for none.
	begin, named uint64
	// prev is the number of the one to look at before it, 0 for none: those that were taken back are passed over.
	prev int32
	// told is the last compaction in it that told the context, before what the context went back to as it began; 0 for none.
	told, before int32
	// begun tells that a turn begins with it: the first of a file has none. Some tells that anything is in it, turn that a person spoke.
	begun, some, turn bool
}

// turnOf is what a turn is called by, which is not 0.
func (h *history) turnOf(id string) uint64 { return max(h.by.Sum(id), 1) }

// with is what is looked at with what stands before it.
func (s turnSpan) with(older turnSpan) turnSpan {
	s.some, s.turn = s.some || older.some, s.turn || older.turn
	if s.named == 0 {
		s.named = older.named
	}
	if s.told == 0 {
		s.told = older.told
	}
	return s
}

// ends tells whether what is looked at ends where a turn begins.
func (s turnSpan) ends(at turnSpan) bool {
	return !at.begun || s.some && (s.named == 0 || s.named == at.begin)
}

// survivor is the compaction that the context goes back to, 0 for none: the newest whose turn was not taken back. Prev is what stands before
// all that was.
func (h *history) survivor(open turnSpan) (told, prev int32) {
	var seen turnSpan
	turns := int64(0)
	for at := open; ; at = h.spans.At(int(at.prev) - 1) {
		h.spent++
		turns += at.rolled
		if seen = seen.with(at); seen.ends(at) || at.prev == 0 {
			switch {
			case turns == 0 && seen.told > 0:
				return seen.told, at.prev
			case turns > 0 && seen.turn:
				turns--
			}
			seen = turnSpan{}
		}
		if turns == 0 && !seen.some {
			return at.before, at.prev
		}
		if at.prev == 0 {
			return 0, 0
		}
	}
}

// turnBegins notes that a turn begins. Codex takes no line that does not say which.
func (r *reader) turnBegins(id string) {
	if id == "" {
		return
	}
	open, h := &r.at.open, r.history
	next := turnSpan{begun: true, begin: h.turnOf(id), before: r.at.told}
	if open.rolled > 0 && h.affords() {
		_, next.prev = h.survivor(*open)
	} else {
		h.spans.Add(*open)
		next.prev = int32(h.spans.Len())
	}
	*open = next
}

// turnNamed notes that something names the turn that it is of.
func (r *reader) turnNamed(id string) {
	if id != "" {
		r.at.open.named, r.at.open.some = r.history.turnOf(id), true
	}
}

// roll notes that turns were taken back.
func (s *turnSpan) roll(turns int64) {
	s.rolled = min(s.rolled+turns, math.MaxInt32)
}
