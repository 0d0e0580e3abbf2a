package compaction

import (
	"math"
	"slices"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// span is the part of a context that a compaction can take or keep, in the order of the path: everything but the
// summary in force.
type span struct {
	messages []overlay.Message
	// cuttable tells for each message whether the context can be cut before it.
	cuttable []bool
	path     []overlay.Place
	lastSeq  int64
}

func spanOf(c *overlay.Context) *span {
	s := &span{path: c.Path, lastSeq: c.LastSeq}
	s.messages = part(c.Messages, func(m *overlay.Message) bool { return m.Part != overlay.PartSummary })
	// A result that never came has the place of its call and stays behind it.
	byPlace := func(a, b overlay.Message) int { return int(min(max(a.Offset-b.Offset, -1), 1)) }
	if !slices.IsSortedFunc(s.messages, byPlace) {
		s.messages = slices.Clone(s.messages)
		slices.SortStableFunc(s.messages, byPlace)
	}
	s.findBoundaries(c)
	return s
}

// part are the messages that are wanted; where they stand together, nothing is copied.
func part(all []overlay.Message, wanted func(*overlay.Message) bool) []overlay.Message {
	first, last, n := 0, 0, 0
	for i := range all {
		if wanted(&all[i]) {
			if n == 0 {
				first = i
			}
			last, n = i+1, n+1
		}
	}
	if n == last-first {
		return all[first:last:last]
	}
	out := make([]overlay.Message, 0, n)
	for i := range all {
		if wanted(&all[i]) {
			out = append(out, all[i])
		}
	}
	return out
}

// findBoundaries marks the valid cuts: before a user message, or before an assistant message all of whose calls have
// their results in the log; never between a call and any of its results, wherever they stand.
func (s *span) findBoundaries(c *overlay.Context) {
	late, open := resultsOf(c)
	exact := s.exact()
	s.cuttable = make([]bool, len(s.messages))
	answered := int64(-1) // where the last result stands of all calls made so far
	if at, ok := late[c.CompactionOffset]; ok {
		answered = at // of calls in a replacement
	}
	at := 0 // on the path, which is in the same order
	for i := range s.messages {
		m := &s.messages[i]
		if m.Overlay == overlay.OverlayRepair {
			continue
		}
		for at < len(s.path) && s.path[at].Offset < m.Offset {
			at++
		}
		valid := m.Role == record.RoleUser || m.Role == record.RoleAssistant && !open[m.Offset]
		s.cuttable[i] = valid && answered < m.Offset && at < len(s.path) && s.path[at].Offset == m.Offset && exact[at]
		answered = max(answered, late[m.Offset])
	}
}

// resultsOf says, by the place of each assistant message, where the last of its results stands, if that is behind the next message, and
// whether one never came.
func resultsOf(c *overlay.Context) (late map[int64]int64, open map[int64]bool) {
	late, open = map[int64]int64{}, map[int64]bool{}
	call, last := int64(-1), int64(-1)
	for i := range c.Messages {
		m := &c.Messages[i]
		switch {
		case m.Role != record.RoleToolResult:
			if last > m.Offset {
				late[call] = max(late[call], last)
			}
			call, last = m.Offset, -1
		case m.Overlay == overlay.OverlayRepair:
			open[call] = true
		default:
			last = max(last, m.Offset)
		}
	}
	return late, open
}

// exact tells for each place on the path whether naming its seq as firstKeptSeq keeps exactly what stands from it on:
// reading walks back until a lower seq, so none may follow, nor the same one again, and the record before must have a
// lower one. Only a damaged log has places where this is not so; to cut there would lose messages that nothing stands for.
func (s *span) exact() []bool {
	exact := make([]bool, len(s.path))
	lowest := int64(math.MaxInt64)
	for i, place := range slices.Backward(s.path) {
		exact[i] = place.Seq < lowest && (i == 0 || s.path[i-1].Seq < place.Seq)
		lowest = min(lowest, place.Seq)
	}
	return exact
}

// next is the first boundary at or behind i, len(messages) if there is none.
func (s *span) next(i int) int {
	for i < len(s.messages) && !s.cuttable[i] {
		i++
	}
	return i
}

// previous is the last boundary before i, 0 if there is none: nothing is before that.
func (s *span) previous(i int) int {
	for i > 1 {
		if i--; s.cuttable[i] {
			return i
		}
	}
	return 0
}

// at finds the boundary that a seq names: a message, a compaction, which stands for the first message behind it, or the
// end. With anyRecord other records stand for what is behind them, too: a plan that kept nothing names the seq after
// the last, which by now may be any record's, but none behind a branch that left what was planned.
func (s *span) at(seq int64, anyRecord bool) (int, bool) {
	if seq == s.lastSeq+1 {
		return len(s.messages), true
	}
	for _, place := range slices.Backward(s.path) {
		if place.Seq != seq {
			continue
		}
		i := s.behind(place.Offset)
		if i < len(s.messages) && s.messages[i].Offset == place.Offset {
			return i, s.cuttable[i]
		}
		if place.Type != record.TypeCompaction && (!anyRecord || !s.unbroken(seq)) {
			return 0, false
		}
		return i, i == len(s.messages) || s.cuttable[i]
	}
	return 0, false
}

// unbroken tells whether the path goes on at this seq from the record with the one before it.
func (s *span) unbroken(seq int64) bool {
	if seq == s.lastSeq+1 {
		return true
	}
	i := len(s.path) - 1
	for i > 0 && s.path[i].Seq != seq {
		i--
	}
	return i > 0 && s.path[i-1].Seq == seq-1
}

// behind is the index of the first message at or behind a place.
func (s *span) behind(offset int64) int {
	i := 0
	for i < len(s.messages) && s.messages[i].Offset < offset {
		i++
	}
	return i
}

// seqAt is the firstKeptSeq of a cut before message i.
func (s *span) seqAt(i int) int64 {
	if i == len(s.messages) {
		return s.lastSeq + 1
	}
	return s.messages[i].From
}

// OpenCalls are the ids of the calls at the end of the conversation whose results may still come: a compaction appended
// now would stand between them.
func OpenCalls(c *overlay.Context) []string {
	var open []string
	for i := range slices.Backward(c.Messages) {
		m := &c.Messages[i]
		switch {
		case m.Role == record.RoleToolResult && m.Overlay == overlay.OverlayRepair:
			open = append(open, m.ToolCallID)
		case m.Role == record.RoleAssistant:
			slices.Reverse(open)
			if m.StopReason == record.StopAborted {
				return nil // nobody runs them
			}
			return open
		case m.Role == record.RoleUser && m.Overlay != overlay.OverlayNote:
			return nil // whoever goes on does not wait for them; an extension's note says nothing about that
		}
	}
	return nil
}
