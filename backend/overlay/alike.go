package overlay

import (
	"strings"

	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// alike is what many messages and notes have in common once their texts are left out: then one record stands for all of them.
type alike struct {
	kind                                   record.Type
	role                                   record.Role
	isError                                bool
	model, provider, stopReason, namespace string
	// blocks has a byte for each block: what it is, and whether it has a text.
	blocks string
}

// own is what remains of each of them.
type own struct {
	// quarters is what it counts without its thinking, in quarter tokens.
	quarters, thinking int
	usage              *tokens.Usage
	// ids are those of its calls, or that of the one which it answers.
	ids []string
}

// lightened is a message or a note without its texts: what it has in common with others, and what it has not. The second is nil where
// there are calls that no assistant made, which are never sent.
func (w *walk) lightened(rec *record.Record) (*record.Record, *own) {
	key, content := alikeTo(rec)
	if key.role != record.RoleAssistant && strings.IndexByte(key.blocks, byte(record.BlockToolCall)<<1) >= 0 {
		light := lightened(rec, !w.unmeasured)
		return &light, nil
	}
	own := w.ownOf(rec, content)
	if known := w.alike[key]; known != nil {
		return known, own
	}
	light := lightened(rec, false)
	key, content = alikeTo(&light)
	for i := range content {
		content[i].ID = ""
	}
	if light.Message != nil {
		light.Message.ToolCallID, light.Message.Usage = "", nil
	}
	w.alike[key] = &light
	return &light, own
}

func alikeTo(rec *record.Record) (alike, []record.Block) {
	key := alike{kind: rec.Type}
	var content []record.Block
	if m := rec.Message; m != nil {
		key.role, key.isError, key.model, key.provider, key.stopReason = m.Role, m.IsError, m.Model, m.Provider, m.StopReason
		content = m.Content
	} else {
		key.namespace, content = rec.Note.Namespace, rec.Note.Content
	}
	blocks := make([]byte, len(content))
	for i := range content {
		blocks[i] = byte(content[i].Kind) << 1
		if content[i].Text != "" {
			blocks[i]++
		}
	}
	key.blocks = string(blocks)
	return key, content
}

func (w *walk) ownOf(rec *record.Record, content []record.Block) *own {
	out := &own{}
	for i := range content {
		switch {
		case content[i].Kind == record.BlockToolCall:
			out.ids = append(out.ids, strings.Clone(content[i].ID))
			fallthrough
		case content[i].Kind != record.BlockThinking:
			out.quarters += w.quartersOf(content[i])
		default:
			out.thinking += w.quartersOf(content[i])
		}
	}
	if rec.Message != nil {
		out.usage = usageOf(rec.Message)
		if rec.Message.Role == record.RoleToolResult {
			out.ids = []string{strings.Clone(rec.Message.ToolCallID)}
		}
	}
	return out
}

func (w *walk) quartersOf(block record.Block) int {
	if w.unmeasured {
		return 0
	}
	return quartersOf(block)
}

// calls are the ids of the calls of a message.
func (m *Message) calls() []string {
	if m.own != nil && m.Role == record.RoleAssistant {
		return m.own.ids
	}
	var ids []string
	for _, block := range m.Content {
		if block.Kind == record.BlockToolCall {
			ids = append(ids, block.ID)
		}
	}
	return ids
}

// estimate is [Estimate] of what of a message is sent.
func (c *Context) estimate(m *Message) int {
	if !m.light || m.own == nil {
		return Estimate(m.Content)
	}
	var tally tokens.Tally
	tally.AddQuarters(m.own.quarters)
	if m.source != nil && m.source.Provider == c.thinks {
		tally.AddQuarters(m.own.thinking)
	}
	return tally.Tokens()
}

// recorded is [Estimate] of a result as it was recorded.
func (m *Message) recorded() int {
	if m.own == nil {
		return Estimate(m.source.Content)
	}
	var tally tokens.Tally
	tally.AddQuarters(m.own.quarters + m.own.thinking)
	return tally.Tokens()
}
