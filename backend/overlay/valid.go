package overlay

import (
	"slices"

	"palimpsest/backend/record"
)

// makeValid turns what is in range into messages that a chat API accepts. The order of the steps is the format's:
// answers that failed go, then what can't be sent, then results are put to their calls.
func (c *Context) makeValid() {
	r := &c.walk.rows
	for i := range r.list.Len() {
		of := r.list.At(i)
		m := c.recorded(of)
		if failed(&m) {
			c.drop(&m, "the answer failed or was stopped before it began, left out")
			r.drop(i, of)
			continue
		}
		reasons, aside := c.fit(&m)
		for _, reason := range reasons {
			c.repair(&m, reason)
		}
		if m.Role != record.RoleToolResult && !sendable(m.Content) {
			c.dropEmpty(&m, aside)
			r.drop(i, of)
		}
		if of.own != none {
			r.own[of.own] = m
		}
	}
	c.matchResults()
	c.arrange()
}

// recorded is the message of a row before anything is done to it.
func (c *Context) recorded(of row) Message {
	if of.own != none {
		return c.walk.rows.own[of.own]
	}
	m, _ := c.ofItem(c.walk.items.At(int(of.item)))
	return m
}

// fit makes of a message what of it can be sent, and says what had to be done to that end, and whether there was what is aside.
func (c *Context) fit(m *Message) (reasons []string, aside bool) {
	reasons, aside = c.walk.rows.filter.blocks(c, m)
	if m.Role == record.RoleToolResult && fillResult(m) {
		reasons = append(slices.Clone(reasons), "an empty result")
	}
	return reasons, aside
}

func (r *rows) drop(i int, of row) {
	of.gone = true
	r.list.Set(i, of)
}

func (c *Context) drop(m *Message, reason string) {
	c.repair(m, reason)
	// A part of a compaction's replacement may go; the compaction itself does not.
	if m.Overlay != OverlayCompaction {
		c.walk.explain(m.Offset, reason)
	}
}

// dropEmpty leaves out a message of which nothing is sent. Where that is because the rest is aside, nothing is repaired.
func (c *Context) dropEmpty(m *Message, aside bool) {
	switch {
	case !aside:
		c.drop(m, "nothing in it that can be sent, left out")
	case m.Overlay != OverlayCompaction:
		c.walk.explain(m.Offset, AsideBlocks)
	}
}

// failed tells whether an assistant message has no place in later requests.
func failed(m *Message) bool {
	if m.Role != record.RoleAssistant || m.source == nil {
		return false
	}
	return m.source.StopReason == record.StopError ||
		m.source.StopReason == record.StopAborted && !sendable(m.Content)
}

// sendable tells whether there is non-empty text, an image, a call, or what is sent as it is.
func sendable(content []record.Block) bool {
	return slices.ContainsFunc(content, func(b record.Block) bool {
		return !b.Aside && (b.Kind == record.BlockText && b.Text != "" || b.Kind == record.BlockImage || b.Kind == record.BlockToolCall || b.Kind == record.BlockAsIs)
	})
}

// LeftOut tells whether a message has no place in any context, whatever stands around it. A result's place is that of its call.
func LeftOut(m *record.Message) bool {
	if m.Role == record.RoleToolResult {
		return false
	}
	calls := m.Role == record.RoleAssistant
	return calls && m.StopReason == record.StopError || !slices.ContainsFunc(m.Content, func(b record.Block) bool {
		return (calls || b.Kind != record.BlockToolCall) && sendable([]record.Block{b})
	})
}

// provider is the one that thinking may be sent to: that of the model in force or, if no record names it, that of the
// newest answer.
func (w *walk) provider(model record.Model) string {
	if model.Provider != "" {
		return model.Provider
	}
	for i := range w.items.Len() {
		if m := w.records[w.items.At(i).rec].Message; m != nil && m.Role == record.RoleAssistant {
			return m.Provider
		}
	}
	if w.compaction != nil {
		for _, m := range slices.Backward(w.compaction.made.Replacement) {
			if m.Role == record.RoleAssistant {
				return m.Provider
			}
		}
	}
	return ""
}

// filter takes out blocks that can't be sent, once for all messages that have them in common.
type filter struct{ of map[*Body]filtered }

type filtered struct {
	body    *Body
	aside   bool // there was what is aside among them
	reasons []string
}

func (f *filter) blocks(c *Context, m *Message) (reasons []string, aside bool) {
	done, known := f.of[m.Body]
	if !known {
		content, reasons := c.sent(m, m.Content)
		if done = (filtered{m.Body, hasAside(m.Content), slices.Compact(reasons)}); len(content) < len(m.Content) {
			done.body = m.Showing(content).Body
		}
		if m.counted && m.Overlay != OverlayPrune {
			f.of[m.Body] = done
		}
	}
	m.Body = done.body
	return done.reasons, done.aside
}

func hasAside(content []record.Block) bool {
	return slices.ContainsFunc(content, func(b record.Block) bool { return b.Aside })
}

// sent is what of a message's content can be sent, and why the rest can't.
func (c *Context) sent(m *Message, content []record.Block) (kept []record.Block, reasons []string) {
	kept = content
	for i, block := range content {
		reason := unsendable(block, m, c.thinks)
		switch {
		case reason != "" || block.Aside:
			if len(kept) == len(content) { // most messages are sent as they are
				kept = slices.Clone(content[:i])
			}
			if !block.Aside {
				reasons = append(reasons, reason)
			}
		case len(kept) < i:
			kept = append(kept, block)
		}
	}
	return kept, reasons
}

func unsendable(block record.Block, m *Message, provider string) string {
	switch block.Kind {
	case record.BlockUnknown:
		return "a block of a kind not known, left out"
	case record.BlockThinking:
		if m.source == nil || m.source.Provider != provider && !block.AnyProvider {
			return "thinking of another provider, left out"
		}
	case record.BlockToolCall:
		if m.Role != record.RoleAssistant || m.source == nil {
			return "a tool call that no assistant made, left out"
		}
	case record.BlockText, record.BlockImage, record.BlockAsIs:
	}
	return ""
}

// fillResult clears a pruned result and gives one its text that came empty, which it tells.
func fillResult(m *Message) (empty bool) {
	text := "[no output]"
	switch {
	case m.instead != "":
		text = m.instead
	case m.Overlay == OverlayPrune:
		text = record.Cleared(m.size())
	case !sendable(m.Content):
		empty = true
	default:
		return false
	}
	*m = m.Showing([]record.Block{record.TextBlock(text)})
	m.light, m.counted = false, false
	return empty
}
