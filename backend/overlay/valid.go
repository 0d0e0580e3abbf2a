package overlay

import (
	"fmt"
	"slices"

	"palimpsest/backend/record"
)

// makeValid turns what is in range into messages that a chat API accepts. The order of the steps is the format's:
// answers that failed go, then what can't be sent, then results are put to their calls.
func (c *Context) makeValid(in []Message, w *walk) {
	filter := filter{of: map[*Body]filtered{}}
	dropped := make([]bool, len(in))
	for i := range in {
		m := &in[i]
		if failed(m) {
			c.drop(m, "the answer failed or was stopped before it began, left out")
			dropped[i] = true
			continue
		}
		onlyAside := filter.blocks(c, m)
		switch {
		case m.Role == record.RoleToolResult:
			c.fillResult(m)
		case !sendable(m.Content):
			c.dropEmpty(m, onlyAside)
			dropped[i] = true
		}
	}
	answers := c.matchResults(in, dropped, w)
	c.arrange(in, dropped, answers, w)
}

func (c *Context) drop(m *Message, reason string) {
	c.repair(m, reason)
	// A part of a compaction's replacement may go; the compaction itself does not.
	if m.Overlay != OverlayCompaction {
		c.Dropped[m.Offset] = reason
	}
}

// dropEmpty leaves out a message of which nothing is sent. Where that is because the rest is aside, nothing is repaired.
func (c *Context) dropEmpty(m *Message, aside bool) {
	switch {
	case !aside:
		c.drop(m, "nothing in it that can be sent, left out")
	case m.Overlay != OverlayCompaction:
		c.Dropped[m.Offset] = AsideBlocks
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

// sendable tells whether there is non-empty text, an image or a call.
func sendable(content []record.Block) bool {
	return slices.ContainsFunc(content, func(b record.Block) bool {
		return !b.Aside && (b.Kind == record.BlockText && b.Text != "" || b.Kind == record.BlockImage || b.Kind == record.BlockToolCall)
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

func (f *filter) blocks(c *Context, m *Message) (aside bool) {
	done, known := f.of[m.Body]
	if !known {
		content, reasons := c.sent(m, m.Content)
		if done = (filtered{m.Body, hasAside(m.Content), slices.Compact(reasons)}); len(content) < len(m.Content) {
			done.body = m.Showing(content).Body
		}
		if m.light {
			f.of[m.Body] = done
		}
	}
	m.Body = done.body
	for _, reason := range done.reasons {
		c.repair(m, reason)
	}
	return done.aside
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
	case record.BlockText, record.BlockImage:
	}
	return ""
}

// fillResult clears a pruned result and gives an empty one its text.
func (c *Context) fillResult(m *Message) {
	text := "[no output]"
	switch {
	case m.instead != "":
		text = m.instead
	case m.Overlay == OverlayPrune:
		text = record.Cleared(m.size())
	case !sendable(m.Content):
		c.repair(m, "an empty result")
	default:
		return
	}
	*m = m.Showing([]record.Block{record.TextBlock(text)})
	m.light, m.counted = false, false
}

// openCall is a call waiting for its result: which message, which of its calls.
type openCall struct{ message, call int }

// matchResults finds, for each call of each message, the index of the result that answers it, -1 if there is none. A
// result answers the nearest earlier call of that id that has no result yet; others are dropped, and so are those of
// answers that were dropped.
func (c *Context) matchResults(in []Message, dropped []bool, w *walk) [][]int {
	answers := make([][]int, len(in))
	open := map[string][]openCall{}
	for i := range in {
		m := &in[i]
		switch m.Role {
		case record.RoleAssistant:
			answers[i] = opened(open, w.callsOf(m), i)
		case record.RoleToolResult:
			stack := open[m.ToolCallID]
			if len(stack) == 0 {
				c.drop(m, fmt.Sprintf("a result for %.60q, a call that is not open, left out", m.ToolCallID))
				dropped[i] = true
				continue
			}
			at := nearest(stack)
			call := stack[at]
			if open[m.ToolCallID] = slices.Delete(stack, at, at+1); len(stack) == 1 {
				delete(open, m.ToolCallID)
			}
			if dropped[call.message] {
				c.drop(m, "the result of an answer that is left out")
				dropped[i] = true
				continue
			}
			answers[call.message][call.call] = i
		case record.RoleUser:
		}
	}
	return answers
}

func opened(open map[string][]openCall, ids []string, message int) []int {
	var answers []int
	for call, id := range ids {
		open[id] = append(open[id], openCall{message, call})
		answers = append(answers, -1)
	}
	return answers
}

// nearest is the first open call of the last message that has one.
func nearest(stack []openCall) int {
	i := len(stack) - 1
	for i > 0 && stack[i-1].message == stack[i].message {
		i--
	}
	return i
}
