package sources

import (
	"palimpsest/backend/record"
)

// Compaction adds one, and returns its seq.
func (l *Log) Compaction(c Compaction) int64 {
	w := l.wire(record.TypeCompaction, c.Meta)
	first := c.FirstKept
	if first < 1 || first > w.Seq {
		first = w.Seq
	}
	if c.TokensAfter != nil && (*c.TokensAfter < 0 || *c.TokensAfter > tokensMost) {
		c.TokensAfter = nil
	}
	read, modified := orNone(c.ReadFiles), orNone(c.ModifiedFiles)
	w.FirstKeptSeq, w.Summary, w.Frame, w.TokensAfter = first, &c.Summary, c.Frame, c.TokensAfter
	if 0 < c.TokensBefore && c.TokensBefore <= tokensMost { // else it is unknown, which is not 0
		w.TokensBefore = &c.TokensBefore
	}
	w.ReadFiles, w.ModifiedFiles, w.Trigger, w.Instructions = &read, &modified, c.Trigger, c.Instructions
	w.Model, w.Usage, w.ActiveModel = c.Model, Plausible(c.Usage), c.ActiveModel
	w.Replacement = make([]wire, len(c.Replacement))
	for i := range c.Replacement {
		w.Replacement[i].message(&c.Replacement[i])
	}
	if c.Kept == nil {
		w.KeptSeqs = l.past.find(w.Replacement)
	}
	for _, seq := range c.Kept {
		if 0 < seq && seq < w.Seq {
			w.KeptSeqs = append(w.KeptSeqs, seq)
		}
	}
	l.put(w, c.More)
	return l.seq
}

func orNone(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}
