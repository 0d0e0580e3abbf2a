package states

import (
	"hash/maphash"
	"iter"
	"sort"

	"palimpsest/backend/many"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Account keeps of each record what decides whether a context leaves it out: a byte a line, and 16 for each call and each result.
// From it and an index the states of a log of any size are told, without its records and without a context. Its records are
// given to it in the order of the log.
type Account struct {
	leftOut many.List[bool] // by line; of what was not taken, false
	pairs   many.List[pair] // calls and results, in the order of the log
	// instead are those in the replacements of compactions, whose lines are those.
	instead many.List[instead]
	// from is the first line that [Account.Resolve] took, and last where the last one begins.
	from int
	last int64
	// told is what the context told of an earlier state of the log, nil if none was resolved.
	told *told
}

// pair is one half of a call and its result. Ids are kept as hashes, with a seed that nobody who writes a log knows.
type pair struct {
	id   uint64
	line int32
	call bool
}

// instead is a pair of a message that stands in place of others, which may be left out.
type instead struct {
	pair
	leftOut bool
}

var pairing = maphash.MakeSeed()

// Take takes the record of line i.
func (a *Account) Take(i int, rec *record.Record) {
	a.pass(i + 1)
	switch {
	case rec.Newer:
	case rec.Aside():
		a.leftOut.Set(i, true)
	case rec.Note != nil && len(rec.Note.Content) > 0:
		a.leftOut.Set(i, overlay.LeftOut(&record.Message{Role: record.RoleUser, Content: rec.Note.Content}))
	case rec.Compaction != nil:
		for _, m := range rec.Compaction.Replacement {
			for p := range pairsOf(i, &m) {
				a.instead.Add(instead{p, overlay.LeftOut(&m)})
			}
		}
	case rec.Message != nil:
		a.leftOut.Set(i, overlay.LeftOut(rec.Message))
		for p := range pairsOf(i, rec.Message) {
			a.pairs.Add(p)
		}
	}
}

// pass goes on to line i, if it is not there yet.
func (a *Account) pass(i int) {
	for a.leftOut.Len() < i {
		a.leftOut.Add(false)
	}
}

// pairsOf are the calls of a message, or the one whose result it is.
func pairsOf(i int, m *record.Message) iter.Seq[pair] {
	return func(yield func(pair) bool) {
		switch m.Role {
		case record.RoleToolResult:
			yield(pair{maphash.String(pairing, m.ToolCallID), int32(i), false})
		case record.RoleAssistant:
			for _, b := range m.Content {
				if b.Kind == record.BlockToolCall && !yield(pair{maphash.String(pairing, b.ID), int32(i), true}) {
					return
				}
			}
		case record.RoleUser:
		}
	}
}

// Table tells what became of the lines of a log: what [Resolve] tells, but for Model and for why something was dropped.
func (a *Account) Table(x *session.Index) *Table {
	o := OutlookOf(x)
	return a.table(&o)
}

func (a *Account) table(o *Outlook) *Table {
	o.prune()
	o.drop(a)
	o.table.standing = o.standing(func(result int) bool { return o.pruned.has(result) && !o.dropped.has(result) })
	s := *o.table
	s.outlook = o
	return &s
}

// prune finds what prunes in range have cleared: of a seq they mean the nearest earlier record, and the last that names it counts.
func (o *Outlook) prune() {
	wanted := map[int64]standIn{}
	for i := o.index.Lines.Len() - 1; i >= o.kept; i-- {
		if !o.table.OnPath(i) {
			continue
		}
		line := o.index.Lines.At(i)
		if by, named := wanted[line.Seq]; named && line.Kind != session.LineDamaged {
			delete(wanted, line.Seq)
			if line.Kind == session.LineToolResult {
				o.pruned.add(i)
				o.put(by, i)
			}
		}
		if line.Kind != session.LineOverlay || o.table.reverted[i] {
			continue
		}
		if rec := OverlayAt(o.index, i); rec != nil && rec.Prune != nil {
			for k, seq := range rec.Prune.Seqs {
				if _, later := wanted[seq]; !later {
					wanted[seq] = standInOf(i, k, rec.Prune)
				}
			}
		}
	}
	for _, by := range wanted {
		o.put(by, beforeRange)
	}
}

// drop finds what is in range and left out: what can't be sent, and results without a call that is sent. A result answers the
// nearest earlier call of its id that has none.
func (o *Outlook) drop(a *Account) {
	var open openCalls
	take := func(p pair, leftOut bool) (dropped bool) {
		if p.call {
			open.push(p.id, leftOut)
			return false
		}
		callLeftOut, called := open.pop(p.id)
		return !called || callLeftOut
	}
	for n := a.insteadIn(o.InForce); n < a.instead.Len() && int(a.instead.At(n).line) == o.InForce; n++ {
		take(a.instead.At(n).pair, a.instead.At(n).leftOut)
	}
	for i := o.kept; i < a.leftOut.Len(); i++ {
		if a.leftOut.At(i) && o.table.OnPath(i) {
			o.dropped.add(i)
		}
	}
	for n := range a.pairs.Len() {
		p := a.pairs.At(n)
		if i := int(p.line); i >= o.kept && o.table.OnPath(i) && take(p, a.leftOut.At(i)) {
			o.dropped.add(i)
		}
	}
}

// insteadIn is where those of a line begin.
func (a *Account) insteadIn(line int) int {
	return sort.Search(a.instead.Len(), func(n int) bool { return int(a.instead.At(n).line) >= line })
}
