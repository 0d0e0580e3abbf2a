package states

import (
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Covered tells of each compaction, by its index, how many messages it took out of the context. One that no message stands before, which
// is where a session goes on that began in another file, is not among them: how many it took is not told.
func (s *Table) Covered(x *session.Index) map[int]int {
	covered := map[int]int{}
	start, first := 0, firstMessage(x)
	for _, indexed := range x.Overlays {
		c := indexed.Record.Compaction
		if c == nil {
			continue
		}
		state, _ := s.Of(x, indexed.Index)
		if first < indexed.Index {
			covered[indexed.Index] = s.between(x, start, indexed.Index, c, state == OffPath)
		}
		if state == InForce || state == Folded {
			start = firstKept(x, indexed.Index, c.FirstKeptSeq)
		}
	}
	return covered
}

// between counts the messages from one index to another that a compaction did not keep, on the path or anywhere.
func (s *Table) between(x *session.Index, from, to int, c *record.Compaction, anywhere bool) (n int) {
	same := map[int64]bool{}
	for _, seq := range c.KeptSeqs {
		same[seq] = true
	}
	for i := from; i < to; i++ {
		line := x.Lines.At(i)
		if isMessage(line) && (line.Seq < c.FirstKeptSeq || len(c.Replacement) > 0) && !same[line.Seq] && (anywhere || s.OnPath(i)) {
			n++
		}
	}
	return n
}

func isMessage(line session.Line) bool {
	return line.Kind == session.LineUser || line.Kind == session.LineAssistant || line.Kind == session.LineToolResult
}

// firstMessage is the index of the first one, or that behind the last line.
func firstMessage(x *session.Index) int {
	for i, line := range x.Lines.All() {
		if isMessage(line) {
			return i
		}
	}
	return x.Lines.Len()
}

// firstKept is the index of the first line that a compaction at index i kept.
func firstKept(x *session.Index, i int, seq int64) int {
	for i > 0 && (x.Lines.At(i-1).Seq == 0 || x.Lines.At(i-1).Seq >= seq) {
		i--
	}
	return i
}
