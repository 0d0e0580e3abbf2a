package backend

import "palimpsest/backend/session"

// outlook tells what became of lines from the index alone. Unlike [states] it resolves no context, which for a log
// without a compaction would be all of it, and so it can't tell what was pruned or dropped.
type outlook struct {
	index  *session.Index
	states *states
	// inForce and kept are the indexes of the compaction in force, -1 if there is none, and of the first line it keeps.
	inForce, kept int
}

func outlookOf(x *session.Index) outlook {
	o := outlook{index: x, states: &states{path: pathOf(x), inForce: -1}, inForce: -1}
	o.states.reverted = o.states.revertedOf(x)
	for _, indexed := range x.Overlays {
		c := indexed.Record.Compaction
		if c == nil || !o.states.onPath(indexed.Index) || o.states.reverted[indexed.Index] {
			continue
		}
		o.inForce, o.kept = indexed.Index, indexed.Index
		if len(c.Replacement) == 0 {
			o.kept = o.keptBy(indexed.Index, c.FirstKeptSeq)
		}
	}
	if o.inForce >= 0 {
		o.states.inForce = x.Lines[o.inForce].Offset
	}
	return o
}

// keptBy is the index of the first line that the compaction at index i keeps: back along the path, up to the first
// record that is older.
func (o *outlook) keptBy(i int, seq int64) int {
	kept := i
	for i--; i >= 0; i-- {
		line := o.index.Lines[i]
		if line.Seq == 0 || !o.states.onPath(i) {
			continue
		}
		if line.Seq < seq {
			break
		}
		kept = i
	}
	return kept
}

func (o *outlook) of(i int) State {
	switch o.index.Lines[i].Kind {
	case session.LineDamaged:
		return ""
	case session.LineNewer:
		return StateNewer
	case session.LineOverlay:
		// Superseded means for an overlay only that it has content, which is in range or not as a message is.
		if state := o.states.ofOverlay(o.index, i); state != StateSuperseded {
			return state
		}
	case session.LineUser, session.LineAssistant, session.LineToolResult:
	}
	switch {
	case !o.states.onPath(i):
		return StateOffPath
	case i > o.inForce && o.inForce >= 0:
		return StateFresh
	case i >= o.kept:
		return StateKept
	}
	return StateSuperseded
}

// bytes is the length of the log from the first line in range on: at most what the model's context is made of.
func (o *outlook) bytes() int64 {
	if o.kept >= len(o.index.Lines) {
		return 0
	}
	return o.index.Size - o.index.Lines[o.kept].Offset
}

// rough are states that come from the outlook alone.
func (o *outlook) rough() *states {
	s := *o.states
	s.outlook = o
	for i := range o.index.Lines {
		switch o.of(i) {
		case StateKept, StateFresh, StateInForce:
			s.model = append(s.model, i)
		case StatePruned, StateSuperseded, StateDropped, StateOffPath, StateFolded, StateReverted, StateMeta, StateNewer:
		}
	}
	return &s
}
