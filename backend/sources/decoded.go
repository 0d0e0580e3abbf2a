package sources

import (
	"math"
	"slices"
	"unicode/utf8"

	"palimpsest/backend/record"
)

// Show is told each line as it is written, without its newline and valid until it returns. rec is the record that reading the line would
// give, but for what the line holds as JSON, and valid as long; nil for one that has to be read to know. Copied tells that another session
// counts it.
type Show func(line []byte, rec *record.Record, copied bool) error

// Show has each line told from here on, for who would read the log as soon as it is written.
func (l *Log) Show(show Show) { l.show = show }

// decoder tells what a record says. It has room for one as most are.
type decoder struct {
	rec     record.Record
	message record.Message
	blocks  [8]record.Block
	// ok tells that nothing has to be read to know what it says.
	ok bool
}

// record is what the line of a record says, without reading it; nil if that takes reading it: if there are bytes that are no text, or
// blocks of the source's own.
func (d *decoder) record(w *wire) *record.Record {
	rec := &d.rec
	d.ok = w.Seq <= record.MaxSeq
	*rec = record.Record{Header: record.Header{Type: w.RecordType, Version: int64(w.SchemaVersion), Seq: w.Seq, Time: w.at}}
	switch w.RecordType {
	case record.TypeMessage:
		rec.Role = w.Role
		d.message = d.said(w, d.blocks[:0])
		rec.Message = &d.message
		d.ok = d.ok && (w.Role == record.RoleUser || w.Role == record.RoleAssistant || w.Role == record.RoleToolResult)
	case record.TypeCompaction:
		rec.Compaction = d.compaction(w)
	case record.TypeBranch:
		rec.Branch = &record.Branch{FromSeq: *w.FromSeq}
		if w.Summary != nil {
			rec.Branch.Summary, rec.Branch.Frame = d.text(*w.Summary), d.frame(w.Frame)
		}
		if from := *w.FromSeq; from < 0 || from > record.MaxSeq {
			rec.Branch.FromSeq = w.Seq
		}
	case record.TypeRevert:
		rec.Revert = &record.Revert{TargetSeq: w.TargetSeq}
	case record.TypePrune:
		rec.Prune = &record.Prune{Seqs: w.Seqs, TokensFreed: *w.TokensFreed}
		if w.Texts != nil {
			rec.Prune.Texts = d.texts(*w.Texts)
		}
		for _, seq := range w.Seqs {
			d.ok = d.ok && -record.MaxSeq <= seq && seq <= record.MaxSeq
		}
	case record.TypeLabel:
		rec.Label = &record.Label{TargetSeq: w.TargetSeq, Label: d.text(*w.Label)}
	case record.TypeModel:
		rec.Model = &record.Model{Provider: d.text(w.Provider), Model: d.text(w.Model), ReasoningEffort: d.text(w.ReasoningEffort), Window: w.ContextWindow}
		d.ok = d.ok && 0 <= w.ContextWindow && w.ContextWindow <= record.MaxSeq
	case record.TypeNote:
		rec.Note = &record.Note{Namespace: d.text(w.Namespace), Role: w.Role, Display: *w.Display, Aside: w.Aside}
		if w.Content != nil {
			rec.Note.Content = d.content(*w.Content, nil)
		}
	}
	if !d.ok {
		return nil
	}
	return rec
}

func (d *decoder) text(s string) string {
	d.ok = d.ok && utf8.ValidString(s)
	return s
}

// said is a message, whose content is behind what stands in a room for it.
func (d *decoder) said(w *wire, room []record.Block) record.Message {
	m := record.Message{
		Role: w.Role, ToolCallID: d.text(w.ToolCallID), IsError: w.IsError != nil && *w.IsError, Model: d.text(w.Model), Provider: d.text(w.Provider),
		Usage: usageOf(w.Usage), StopReason: d.text(w.StopReason), ErrorMessage: d.text(w.ErrorMessage), Aside: w.Aside,
		ByAgent: w.ByAgent,
	}
	if w.Content != nil {
		m.Content = d.content(*w.Content, room)
	}
	if w.Origin != nil {
		m.Same, m.Took = d.text(w.Origin.Same), usageOf(w.Origin.Took)
	}
	return m
}

func (d *decoder) compaction(w *wire) *record.Compaction {
	c := &record.Compaction{
		FirstKeptSeq: w.FirstKeptSeq, Summary: d.text(*w.Summary), Frame: d.frame(w.Frame), ReadFiles: d.texts(*w.ReadFiles),
		ModifiedFiles: d.texts(*w.ModifiedFiles), Model: d.text(w.Model), Trigger: d.text(w.Trigger), Instructions: d.text(w.Instructions),
		Usage: usageOf(w.Usage), KeptSeqs: w.KeptSeqs, Foreign: w.Origin != nil,
	}
	if w.TokensBefore != nil {
		c.TokensBefore = *w.TokensBefore
	}
	if after := w.TokensAfter; after != nil && -record.MaxSeq <= *after && *after <= record.MaxSeq {
		c.TokensAfter = after
	}
	if m := w.ActiveModel; m != nil {
		active := *m
		c.ActiveModel = &active
		d.texts([]string{m.Provider, m.Model, m.ReasoningEffort})
		d.ok = d.ok && 0 <= m.Window && m.Window <= record.MaxSeq
	}
	if w.Origin != nil {
		c.Same = d.text(w.Origin.Same)
	}
	for i := range w.Replacement {
		c.Replacement = append(c.Replacement, d.said(&w.Replacement[i], nil))
	}
	return c
}

func (d *decoder) frame(f *record.Frame) *record.Frame {
	if f == nil {
		return nil
	}
	out := &record.Frame{Question: d.text(f.Question), Before: d.text(f.Before), After: d.text(f.After), XML: f.XML}
	if d.text(string(f.Role)) == string(record.RoleAssistant) {
		out.Role = record.RoleAssistant
	}
	return out
}

func (d *decoder) texts(all []string) []string {
	for _, one := range all {
		d.text(one)
	}
	return all
}

func (d *decoder) content(blocks []Block, room []record.Block) []record.Block {
	if len(blocks) == 0 {
		return nil
	}
	out := slices.Grow(room, len(blocks))
	for i := range blocks {
		out = append(out, d.block(&blocks[i]))
	}
	return out
}

func (d *decoder) block(b *Block) record.Block {
	out := record.Block{Blob: d.text(b.Blob), Aside: b.Aside && b.Type != "toolCall"}
	switch {
	case b.Raw != nil:
		d.ok = false
	case b.Type == "text":
		out.Kind, out.Text = record.BlockText, d.text(b.Text)
		if b.Blob != "" {
			out.Whole = record.WholeOf(b.Text, int64(b.Bytes))
		}
	case b.Type == "thinking":
		out.Kind, out.Text = record.BlockThinking, d.text(b.Text)
		out.AnyProvider = b.AnyProvider
	case b.Type == "toolCall" && b.ID != "" && b.Name != "":
		out.Kind, out.ID, out.Name = record.BlockToolCall, d.text(b.ID), d.text(b.Name)
		out.Arguments = d.text(string(arguments(b.Arguments)))
	case b.Type == "image" && b.Blob != "" && b.MediaType != "":
		out.Kind = record.BlockImage
		d.text(b.MediaType)
	default:
		d.ok = false
	}
	return out
}

// usageOf is a usage as it is read: what it cost is a number from 0 on, and what is not told is 0.
func usageOf(u *record.Usage) *record.Usage {
	if u == nil {
		return nil
	}
	read := u.AsTold()
	if u.Cost != nil && (*u.Cost < 0 || math.IsInf(*u.Cost, 0)) {
		read.Cost = nil
	}
	return &read
}
