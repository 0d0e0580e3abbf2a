package overlay

import (
	"cmp"
	"slices"
	"strings"

	"palimpsest/backend/record"
)

// The markers around a compaction's summary are the specification's, word for word: they are part of the format.
const (
	compactionIntro = "The conversation history before this point was compacted into the following summary:"
	branchIntro     = "The conversation came back here from another branch, which is left out. A summary of that branch:"
)

func marked(intro, summary string) []record.Block {
	return []record.Block{record.TextBlock(intro + "\n<summary>\n" + summary + "\n</summary>")}
}

// SummaryBlocks is the content of the user message that stands for what a compaction replaced.
func SummaryBlocks(summary string) []record.Block { return marked(compactionIntro, summary) }

// emit lists what is in range in path order, before anything is repaired.
func (c *Context) emit(w *walk) []Message {
	out := make([]Message, 0, len(w.items)+1)
	if w.compaction != nil {
		out = append(out, c.emitCompaction(*w.compaction)...)
	}
	for _, it := range slices.Backward(w.items) {
		m, ok := c.emitItem(it)
		if !ok {
			continue
		}
		m.From, m.Offset, m.Part, m.light, m.own = it.seq, it.offset, PartKept, it.light, it.own
		if m.own != nil && m.Role == record.RoleToolResult {
			m.ToolCallID = m.own.ids[0]
		}
		if it.fresh && w.compaction != nil {
			m.Part = PartFresh
		}
		if b := it.rec.Branch; b != nil {
			out = append(out, said(m, b.Frame, branchIntro, b.Summary)...)
			continue
		}
		out = append(out, m)
	}
	return out
}

func (c *Context) emitCompaction(it item) []Message {
	base := Message{Offset: it.offset, Overlay: OverlayCompaction, Part: PartSummary, From: it.seq}
	if replacement := it.rec.Compaction.Replacement; len(replacement) > 0 {
		out := make([]Message, len(replacement))
		for i := range replacement {
			m := base
			fill(&m, &replacement[i])
			out[i] = m
		}
		return out
	}
	summary := it.rec.Compaction.Summary
	if strings.TrimSpace(summary) == "" {
		summary = "[summary not readable: empty]"
		c.repair(&base, "the summary is empty")
	}
	return said(base, it.rec.Compaction.Frame, compactionIntro, summary)
}

// said is a summary as the model gets it: in the words of the agent that made it, or else in ours.
func said(base Message, frame *record.Frame, intro, summary string) []Message {
	base.Role, base.Content = record.RoleUser, marked(intro, summary)
	if frame == nil {
		return []Message{base}
	}
	base.Role = cmp.Or(frame.Role, record.RoleUser)
	base.Content = []record.Block{record.TextBlock(frame.Before + summary + frame.After)}
	if frame.Question == "" {
		return []Message{base}
	}
	question := base
	question.Role, question.Content = record.RoleUser, []record.Block{record.TextBlock(frame.Question)}
	return []Message{question, base}
}

func (c *Context) emitItem(it item) (Message, bool) {
	switch it.rec.Type {
	case record.TypeMessage:
		m := Message{Seq: it.seq}
		fill(&m, it.rec.Message)
		if it.pruned {
			m.Overlay, m.instead = OverlayPrune, it.instead
		}
		return m, true
	case record.TypeBranch:
		return Message{Overlay: OverlayBranch}, it.rec.Branch.Summary != ""
	case record.TypeNote:
		return Message{
			Overlay: OverlayNote, Role: record.RoleUser, Content: it.rec.Note.Content, Namespace: it.rec.Note.Namespace,
		}, len(it.rec.Note.Content) > 0
	case record.TypeCompaction, record.TypeRevert, record.TypePrune, record.TypeLabel, record.TypeModel:
	}
	return Message{}, false
}

func fill(m *Message, from *record.Message) {
	m.Role, m.Content, m.ToolCallID, m.IsError = from.Role, from.Content, from.ToolCallID, from.IsError
	m.StopReason, m.source = from.StopReason, from
}

func cleared(tokens int) []record.Block {
	return []record.Block{record.TextBlock(record.Cleared(tokens))}
}

// Clearable tells whether a message is a result that is there whole, or in the words of a prune, which may be many.
func (m *Message) Clearable() bool {
	return m.Role == record.RoleToolResult && (m.Overlay == "" || m.instead != "")
}

// Frees is how many tokens less a result takes once it is cleared, by the raw estimate.
func (m *Message) Frees() int {
	whole := m.Tokens
	if m.instead != "" {
		whole = m.recorded()
	}
	return m.Tokens - ClearedTokens(whole)
}

// ClearedTokens is the raw estimate of what stands for a cleared tool result of this size.
func ClearedTokens(tokens int) int { return Estimate(cleared(tokens)) }
