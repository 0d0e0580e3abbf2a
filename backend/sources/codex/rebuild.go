package codex

import (
	"math"
	"slices"
)

// told is a compaction that told the context.
type told struct {
	// node is the last of what it replaced all with, before where the path stood, step what had been done last.
	node, before, step int32
	// base is the compaction that the context went back to before it, 0 for none.
	base int32
	// puts tells that what it replaced all with ends with what Codex put in, or that of one which it goes back to with nothing done in between.
	puts bool
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
		h.spent++
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
	}
	return at
}

// forget shortens what was done by a rollback that was just done: a turn that was begun and taken back need not be done again, whatever the
// context goes back to, and of rollbacks in a row the last stands for all.
func (r *reader) forget(turns int64) {
	h, stop := r.history, r.history.toldAt(r.at.told).step
	back := h.steps.At(int(r.at.step) - 1)
	if i := back.prev; i > stop {
		if before := h.steps.At(int(i) - 1); before.deed == rolledBack {
			both := min(int64(before.at)+int64(back.at), math.MaxInt32)
			h.steps.Add(step{prev: before.prev, at: int32(both), deed: rolledBack})
			r.at.step = int32(h.steps.Len())
			return
		}
	}
	to := back.prev
	for turns > 0 {
		if to <= stop {
			return
		}
		s := h.steps.At(int(to) - 1)
		if h.spent++; s.deed != saw {
			return
		}
		if h.node(s.at).turn {
			turns--
		}
		to = s.prev
	}
	if !r.puts(to) {
		r.at.step = to
	}
}

// puts tells whether the path may end with what Codex put in as it stood after a step, whatever the context goes back to: that it took back only
// with the turn behind it, and if there was another.
func (r *reader) puts(at int32) bool {
	h := r.history
	if t := h.toldAt(r.at.told); r.at.told > 0 && t.step == at && t.puts {
		return true
	}
	if at == 0 {
		return false
	}
	s := h.steps.At(int(at) - 1)
	return s.deed == rolledBack || s.deed == saw && h.node(s.at).put
}

// made is how much more than looking at it it takes to make or write a message of a replacement.
const made = 64

// affords tells whether what is asked of what the lines said is worked out whole. Of files that were written to make that long it is not: a line
// has its share, a hundred times what it is in the sessions of people, and what they leave is a reserve.
func (h *history) affords() bool {
	const first, each = 1 << 20, 1000
	return h.spent <= first+each*h.lines
}

// mostWritten is how many messages a compaction keeps that does not tell them itself.
func (h *history) mostWritten() int {
	if h.affords() {
		return math.MaxInt
	}
	return 1 << 6
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
	all := int64(h.turnsAt(at))
	if all == 0 {
		return at
	}
	to := at
	for left := max(all-turns, 0); int64(h.turnsAt(to)) > left; to = h.node(to).prev {
		h.spent++
	}
	return h.unprepared(to)
}

// unprepared is where the path stood before what Codex put in for a turn that is taken off it. What it put in for the first stays.
func (h *history) unprepared(at int32) int32 {
	if h.turnsAt(at) == 0 {
		return at
	}
	for h.node(at).put {
		h.spent++
		at = h.node(at).prev
	}
	return at
}
