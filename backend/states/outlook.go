package states

import "palimpsest/backend/session"

// Outlook tells what became of lines from the index alone. Unlike [Table] it resolves no context, which for a log
// without a compaction would be all of it, and so it can't tell what was pruned or dropped, and what stands there; [Account] adds that.
type Outlook struct {
	index *session.Index
	table *Table
	// InForce is the index of the compaction in force, -1 if there is none, and kept that of the first line it keeps.
	InForce, kept int
	// pruned and dropped are the lines that an account tells to be.
	pruned, dropped Lines
	// standIns are the results that texts of prunes stand for.
	standIns map[standIn]int
}

// OutlookOf reads an index.
func OutlookOf(x *session.Index) Outlook {
	o := Outlook{index: x, table: &Table{path: pathOf(x), inForce: -1}, InForce: -1}
	o.table.reverted = o.table.revertedOf(x)
	for _, indexed := range x.Overlays {
		c := indexed.Record.Compaction
		if c == nil || !o.table.OnPath(indexed.Index) || o.table.reverted[indexed.Index] {
			continue
		}
		o.InForce, o.kept = indexed.Index, indexed.Index
		if len(c.Replacement) == 0 {
			o.kept = o.keptBy(indexed.Index, c.FirstKeptSeq)
		}
	}
	if o.InForce >= 0 {
		o.table.inForce = x.Lines.At(o.InForce).Offset
		o.table.spare(x, o.InForce)
	}
	return o
}

// keptBy is the index of the first line that the compaction at index i keeps: back along the path, up to the first
// record that is older.
func (o *Outlook) keptBy(i int, seq int64) int {
	kept := i
	for i--; i >= 0; i-- {
		line := o.index.Lines.At(i)
		if line.Seq == 0 || !o.table.OnPath(i) {
			continue
		}
		if line.Seq < seq {
			break
		}
		kept = i
	}
	return kept
}

// Of says what became of line i.
func (o *Outlook) Of(i int) State {
	if o.dropped.has(i) {
		return Dropped
	}
	if o.pruned.has(i) {
		return Pruned
	}
	if state, ok := o.table.spared[i]; ok {
		return state
	}
	switch o.index.Lines.At(i).Kind {
	case session.LineDamaged:
		return ""
	case session.LineNewer:
		return Newer
	case session.LineOverlay:
		// Superseded means for a branch only that it has a summary, which is in range or not as a message is.
		if state := o.table.ofOverlay(o.index, i); state != Superseded {
			return state
		}
	case session.LineAside:
		if o.table.OnPath(i) {
			return Dropped
		}
	case session.LineUser, session.LineAssistant, session.LineToolResult, session.LineNote:
	}
	switch {
	case !o.table.OnPath(i):
		return OffPath
	case i > o.InForce && o.InForce >= 0:
		return Fresh
	case i >= o.kept:
		return Kept
	}
	return Superseded
}

// Bytes is the length of the log from the first line in range on: at most what the model's context is made of.
func (o *Outlook) Bytes() int64 {
	if o.kept >= o.index.Lines.Len() {
		return 0
	}
	return o.index.Size - o.index.Lines.At(o.kept).Offset
}

// Rough are states that come from the outlook alone.
func (o *Outlook) Rough() *Table {
	s := *o.table
	s.outlook = o
	s.Model = o.model()
	return &s
}

// model are the lines that the model sees, as far as is known.
func (o *Outlook) model() Lines {
	var seen Lines
	for i := range o.index.Lines.Len() {
		switch o.Of(i) {
		case Kept, Fresh, InForce, Pruned:
			seen.add(i)
		case Superseded, Dropped, OffPath, Folded, Reverted, Meta, Newer, Later:
		}
	}
	return seen.counted()
}
