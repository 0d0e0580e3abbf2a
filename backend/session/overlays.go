package session

import (
	"strings"

	"palimpsest/backend/record"
)

// Indexed is a record that changes what became of others: a compaction, a branch, a prune or a revert. It is without its texts, since a long
// log has many, each perhaps with all that the model sees from there on: what is asked of it is what it does, and whether it says anything.
type Indexed struct {
	Index  int
	Record record.Record
	// ReadFiles and ModifiedFiles are how many a compaction names.
	ReadFiles, ModifiedFiles int
}

// overlay keeps what is asked of a record that is no message, and tells the kind of its line, whose index is i. Agents write notes with every
// answer; of those the line tells all.
func (x *Index) overlay(i int, rec *record.Record) LineKind {
	out := Indexed{Index: i, Record: record.Record{Header: rec.Header, Revert: rec.Revert}}
	switch {
	case rec.Aside():
		return LineAside
	case rec.Note != nil && len(rec.Note.Content) > 0:
		return LineNote
	case rec.Compaction != nil:
		c := rec.Compaction
		out.Record.Compaction, out.ReadFiles, out.ModifiedFiles = slim(c), len(c.ReadFiles), len(c.ModifiedFiles)
	case rec.Branch != nil:
		b := record.Branch{FromSeq: rec.Branch.FromSeq, FromOffset: rec.Branch.FromOffset}
		if rec.Branch.Summary != "" {
			b.Summary = "…"
		}
		out.Record.Branch = &b
	case rec.Prune != nil:
		out.Record.Prune = &record.Prune{Seqs: rec.Prune.Seqs, TokensFreed: rec.Prune.TokensFreed, Texts: there(rec.Prune.Texts)}
	case rec.Revert == nil:
		return LineOverlay
	}
	x.Overlays = append(x.Overlays, out)
	return LineOverlay
}

// slim is a compaction without its texts, and nothing of it a part of the line that it stood in.
func slim(c *record.Compaction) *record.Compaction {
	return &record.Compaction{
		FirstKeptSeq: c.FirstKeptSeq, TokensBefore: c.TokensBefore, TokensAfter: c.TokensAfter, Model: strings.Clone(c.Model),
		Trigger: strings.Clone(c.Trigger), Edited: c.Edited, SplitTurn: c.SplitTurn, KeptSeqs: c.KeptSeqs,
		Replacement: make([]record.Message, min(len(c.Replacement), 1)),
	}
}

// there are texts of which no more stays than that they are there.
func there(texts []string) []string {
	if texts == nil {
		return nil
	}
	out := make([]string, len(texts))
	for i, text := range texts {
		if text != "" {
			out[i] = "…"
		}
	}
	return out
}
