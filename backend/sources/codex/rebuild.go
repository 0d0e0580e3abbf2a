package codex

import "slices"

// told is a compaction that told the context.
type told struct {
	// node is the last of what it replaced all with, before where the path stood, step what was done last.
	node, before, step int32
	// base is the compaction that the context went back to before it, 0 for none.
	base int32
}

// sum is a compaction that did not tell the context, as it is where that goes back to a certain one that did: what it kept is worked out, and
// another where something else had been before.
type sum struct {
	// summary is the number of its text, told the compaction that is gone back to, node the last of what it replaced all with, and other the
	// same compaction where another one is gone back to.
	summary, told, node, other int32
}

// rebuild is where the path stands if the context goes back to another compaction: all that was done since is done again, behind what had been
// seen before those that are not gone back to any more.
func (r *reader) rebuild(to int32) int32 {
	h := r.history
	at, from := int32(0), int32(0)
	last := r.at.told
	for t := last; t != to && t > 0; t = h.tolds.At(int(t) - 1).base {
		last = t
	}
	switch was := h.toldAt(last); {
	case last > 0 && was.base == to && last != to:
		at, from = was.before, was.step
	case to > 0:
		at, from = h.toldAt(to).node, h.toldAt(to).step
	}
	var steps []int32
	for i := r.at.step; i > from; {
		s := h.steps.At(int(i) - 1)
		if node, is := h.summedTo(s, to); is { // which stands for all before it
			at = node
			break
		}
		steps, i = append(steps, i), s.prev
	}
	for _, i := range slices.Backward(steps) {
		at = r.again(at, h.steps.At(int(i)-1))
	}
	return at
}

// summedTo is the last of what an older compaction replaced all with where the context goes back to a certain one, if the log has that.
func (h *history) summedTo(s step, to int32) (node int32, is bool) {
	if s.deed != compactedAnew {
		return 0, false
	}
	for i := s.at; i > 0; {
		one := h.sums.At(int(i) - 1)
		if one.told == to {
			return one.node, true
		}
		i = one.other
	}
	return 0, false
}

func (h *history) toldAt(i int32) (t told) {
	if i > 0 {
		t = h.tolds.At(int(i) - 1)
	}
	return t
}

// again does a step behind a node, as if no compaction since had told the context.
func (r *reader) again(at int32, s step) int32 {
	h := r.history
	switch s.deed {
	case saw:
		n := h.node(s.at)
		n.under = h.forceAt(at)
		return h.onto(at, n)
	case compactedAnew:
		parts := r.rebuilt(at, h.texts.At(int(h.sums.At(int(s.at)-1).summary)-1))
		return h.chain(parts, 0, unwritten)
	case rolledBack:
		return h.without(at, int64(s.at))
	case compactedTo:
	}
	return at
}

// unwritten is what is in force behind what no record has.
const unwritten = -1

// forceAt is what is in force behind a node.
func (h *history) forceAt(at int32) int32 {
	if at == 0 {
		return 0
	}
	n := h.node(at)
	if n.part > 0 && (!n.last || n.seq == 0) {
		if !n.cut {
			return unwritten
		}
	}
	return n.under
}

// without is where a path stands that the last turns are taken off, as Codex does it: with more turns than there are, what stands before the
// first stays.
func (h *history) without(at int32, turns int64) int32 {
	to, found := at, false
	for i := at; i > 0 && turns > 0; {
		n := h.node(i)
		if i = n.prev; n.turn {
			to, found = i, true
			turns--
		}
	}
	if !found {
		return at
	}
	return h.unprepared(to)
}

// unprepared is where the path stood before what Codex put in for a turn that is taken off it. What it put in for the first stays.
func (h *history) unprepared(at int32) int32 {
	to := at
	for to > 0 && h.node(to).put {
		to = h.node(to).prev
	}
	for i := to; i > 0; i = h.node(i).prev {
		if h.node(i).turn {
			return to
		}
	}
	return at
}
