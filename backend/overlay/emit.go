package overlay

import (
	"cmp"
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
func (c *Context) emit() {
	w := c.walk
	if w.compaction != nil {
		for _, m := range c.emitCompaction(w.compaction) {
			w.rows.put(m)
		}
	}
	for i := w.items.Len() - 1; i >= 0; i-- {
		it := w.items.At(i)
		if b := w.records[it.rec].Branch; b != nil {
			c.emitBranch(it, b)
			continue
		}
		m, ok := c.ofItem(it)
		switch {
		case !ok:
		case it.counted:
			w.rows.list.Add(row{item: int32(i), own: none}) //nolint:gosec // nobody holds so many
		default:
			w.rows.put(m)
		}
	}
}

func (c *Context) emitBranch(it item, b *record.Branch) {
	if b.Summary == "" {
		return
	}
	m := Message{From: it.seq, Offset: it.offset, Part: PartKept, Body: &Body{Overlay: OverlayBranch}}
	if it.fresh && c.walk.compaction != nil {
		m.Part = PartFresh
	}
	for _, one := range said(m, b.Frame, branchIntro, b.Summary) {
		c.walk.rows.put(one)
	}
}

func (c *Context) emitCompaction(in *inForce) []Message {
	base := Message{Offset: in.offset, Body: &Body{Overlay: OverlayCompaction}, Part: PartSummary, From: in.seq}
	if replacement := in.made.Replacement; len(replacement) > 0 {
		out := make([]Message, len(replacement))
		for i := range replacement {
			out[i] = base
			out[i].Body, out[i].ToolCallID = messageBody(&replacement[i]), replacement[i].ToolCallID
			out[i].Overlay = OverlayCompaction
		}
		return out
	}
	summary := in.made.Summary
	if strings.TrimSpace(summary) == "" {
		summary = record.SummaryEmpty
		c.repair(&base, "the summary is empty")
	}
	return said(base, in.made.Frame, compactionIntro, summary)
}

// said is a summary as the model gets it: in the words of the agent that made it, or else in ours.
func said(base Message, frame *record.Frame, intro, summary string) []Message {
	saying := func(role record.Role, content []record.Block) Message {
		m := base.Showing(content)
		m.Role = role
		return m
	}
	if frame == nil {
		return []Message{saying(record.RoleUser, marked(intro, summary))}
	}
	answer := saying(cmp.Or(frame.Role, record.RoleUser), []record.Block{record.TextBlock(frame.Say(summary))})
	if frame.Question == "" {
		return []Message{answer}
	}
	return []Message{saying(record.RoleUser, []record.Block{record.TextBlock(frame.Question)}), answer}
}

// bodyOf is what a record says, nil if it is nothing.
func bodyOf(rec *record.Record) *Body {
	switch {
	case rec.Message != nil:
		return messageBody(rec.Message)
	case rec.Note != nil && len(rec.Note.Content) > 0:
		return &Body{Overlay: OverlayNote, Role: rec.Note.Says(), Content: rec.Note.Content, Namespace: rec.Note.Namespace}
	}
	return nil
}

func messageBody(m *record.Message) *Body {
	return &Body{Role: m.Role, Content: m.Content, IsError: m.IsError, StopReason: m.StopReason, source: m}
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
		whole = m.whole
	}
	return m.Tokens - ClearedTokens(whole)
}

// ClearedTokens is the raw estimate of what stands for a cleared tool result of this size.
func ClearedTokens(tokens int) int { return Estimate(cleared(tokens)) }
