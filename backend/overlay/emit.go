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
func (c *Context) emit(w *walk) []Message {
	out := make([]Message, 0, w.items.Len()+1)
	if w.compaction != nil {
		out = append(out, c.emitCompaction(w.compaction)...)
	}
	bodies := map[int32]*Body{}
	for i := w.items.Len() - 1; i >= 0; i-- {
		it := w.items.At(i)
		rec := w.records[it.rec]
		m := Message{From: it.seq, Offset: it.offset, Part: PartKept, light: it.light, counted: it.counted}
		if it.fresh && w.compaction != nil {
			m.Part = PartFresh
		}
		if b := rec.Branch; b != nil {
			if b.Summary != "" {
				m.Body = &Body{Overlay: OverlayBranch}
				out = append(out, said(m, b.Frame, branchIntro, b.Summary)...)
			}
			continue
		}
		if m.Body = bodies[it.rec]; m.Body == nil || it.pruned {
			m.Body = bodyOf(rec)
		}
		if m.Body == nil {
			continue
		}
		if it.counted && !it.pruned {
			bodies[it.rec] = m.Body
		}
		c.fillItem(&m, it, rec, w)
		out = append(out, m)
	}
	return out
}

// fillItem puts into a message what it does not share with others.
func (c *Context) fillItem(m *Message, it item, rec *record.Record, w *walk) {
	if rec.Message == nil {
		m.Tokens, _ = c.estimate(it, nil)
		return
	}
	m.Seq, m.ToolCallID = it.seq, rec.Message.ToolCallID
	sent, recorded := c.estimate(it, rec.Message)
	m.Tokens = sent
	if it.counted && m.Role == record.RoleToolResult {
		m.ToolCallID = w.ids.At(it.idsEnd - 1)
	}
	if it.pruned {
		m.Overlay, m.instead = OverlayPrune, w.insteads[it.instead]
		if m.whole = recorded; !it.counted {
			m.whole = Estimate(m.Content)
		}
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
		summary = "[summary not readable: empty]"
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
