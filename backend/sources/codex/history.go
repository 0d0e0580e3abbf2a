package codex

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// The context of a session is what Codex would build of its file: it looks for the newest compaction that told the context and was not taken
// back, and does behind that what the lines say, without the ones that were. Nothing of that has to be done anew as long as that compaction
// is the same; see rebuild.go for what is where it is another.

// moment is one in what the model has seen.
type moment struct {
	// node is the number of the last that it saw, step that of the last that was done, 0 if there was none.
	node, step int32
	// told is the compaction that the context goes back to, bound the last of all if nothing that is taken back takes that back; 0 for none.
	told, bound int32
	// stack are the compactions in force in the log.
	stack int32
	// open is what stands behind the place where the last turn began.
	open turnSpan
}

// deed is what a step did.
type deed uint8

const (
	saw deed = iota // the model saw a node
	compactedAnew
	rolledBack
)

// step is something that was done to the context: at is the number of what it did that with, or how many turns were taken back.
type step struct {
	prev, at int32
	deed     deed
}

// inForce is a compaction in the log, and the one that is in force without it.
type inForce struct {
	seq   int64
	below int32
}

// push puts what the model saw on the path.
func (r *reader) push(n node) {
	n.stack, n.under = r.at.stack, r.at.stack
	r.at.node = r.history.onto(r.at.node, n)
	r.did(step{deed: saw, at: r.at.node})
	r.at.open.turn = r.at.open.turn || n.turn
}

// did notes a step. As with nodes, the last of those in a row that are plain stands for all.
func (r *reader) did(s step) {
	h := r.history
	if s.prev = r.at.step; s.prev > 0 && h.plain(s) {
		if before := h.steps.At(int(s.prev) - 1); h.plain(before) {
			s.prev = before.prev
		}
	}
	h.steps.Add(s)
	r.at.step, r.at.open.some = int32(h.steps.Len()), true
}

func (h *history) plain(s step) bool {
	if s.deed != saw {
		return false
	}
	n := h.node(s.at)
	return n.plain()
}

// rollback takes the last turns off the path, and with them the compactions that stand in them.
func (r *reader) rollback(turns int64, m sources.Meta) {
	if turns <= 0 {
		return
	}
	r.at.open.roll(turns)
	r.did(step{deed: rolledBack, at: int32(min(turns, math.MaxInt32))})
	before, told := r.at.node, r.at.told
	if r.history.affords() {
		told = r.survivor()
	}
	another := told != r.at.told
	if another {
		r.at.node, r.at.told = r.rebuild(told), told
	} else {
		r.at.node = r.history.without(before, turns)
	}
	r.forget(turns)
	if another || r.at.node != before {
		r.stand(m)
	}
}

// survivor is the compaction that the context goes back to.
func (r *reader) survivor() int32 {
	if r.at.bound > 0 {
		return r.at.bound
	}
	told, _ := r.history.survivor(r.at.open)
	return told
}

// goBack continues from what the model had seen then.
func (r *reader) goBack(to moment, m sources.Meta) {
	r.at = to
	r.stand(m)
}

// stand lets the log stand where the path does.
func (r *reader) stand(m sources.Meta) {
	h := r.history
	var n node
	if r.at.node > 0 {
		n = h.node(r.at.node)
	}
	switch {
	case r.at.node == 0:
		r.log.Branch(sources.Branch{Meta: m})
		r.at.stack = 0
	case n.part == 0 || n.last && n.seq > 0:
		r.log.Branch(sources.Branch{Meta: m, From: n.seq})
		r.at.stack = n.stack
		r.takeBack(n.under, m)
	default: // into what a compaction kept
		r.cut(m)
	}
	r.told = sources.Model{}.Model
}

// takeBack takes the compactions in the log back that are over another one.
func (r *reader) takeBack(under int32, m sources.Meta) {
	h := r.history
	is := r.at.stack
	for is > 0 && is != under {
		is = h.stack.At(int(is) - 1).below
	}
	if is != under {
		return
	}
	entry := m.Entry
	for n := 0; r.at.stack != under; n++ {
		top := h.stack.At(int(r.at.stack) - 1)
		m.Entry = fmt.Sprintf("%s/%d", entry, n)
		r.log.Revert(sources.Revert{Meta: m, Target: top.seq})
		r.at.stack = top.below
	}
}

// cut writes the messages of a replacement up to where the path stands.
func (r *reader) cut(m sources.Meta) {
	h := r.history
	n := h.node(r.at.node)
	var parts []sources.Message
	for i, most := r.at.node, h.mostWritten(); i > 0 && len(parts) < most; {
		n := h.node(i)
		parts, i = append(parts, h.message(&n)), n.prev
	}
	slices.Reverse(parts)
	h.spent += int64(len(parts)) * made
	seq := r.compaction(parts, sources.Compaction{
		Meta: m, Trigger: record.TriggerEdit, Summary: "Codex went back to before a message that a compaction had kept.",
	})
	r.at.stack = h.force(seq, r.at.stack)
	n.under, n.cut = r.at.stack, true
	h.nodes.Set(int(r.at.node)-1, n)
}

// compaction writes a compaction after which the model sees these messages, and returns its seq.
func (r *reader) compaction(parts []sources.Message, c sources.Compaction) int64 {
	c.Replacement, c.Trigger = parts, cmp.Or(c.Trigger, "unknown")
	active := r.model
	c.ActiveModel = &active
	return r.log.Compaction(c)
}

// force notes that a compaction is in force in the log.
func (h *history) force(seq int64, below int32) int32 {
	h.stack.Add(inForce{seq, below})
	return int32(h.stack.Len())
}

func plain(blocks []sources.Block) string {
	var parts []string
	for _, b := range blocks {
		if b.Type == "text" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}
