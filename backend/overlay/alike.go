package overlay

import (
	"fmt"
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
	// blocks has for each block what it is, whether it has a text, whom that goes to, and the tool that it calls.
	blocks string
}

// lighten puts in the place of a message or a note the record that stands for all like it, and into its item what it does not share with
// them. Where there are calls that no assistant made, which are never sent, it has one of its own.
func (w *walk) lighten(it *item, rec *record.Record) {
	it.light = true
	key, content := alikeTo(rec)
	if (rec.Message == nil || key.role != record.RoleAssistant) && hasCalls(content) {
		light := lightened(rec, !w.unmeasured)
		it.rec = w.number(&light)
		return
	}
	it.counted = true
	w.count(it, rec, content)
	known, ok := w.alike[key]
	if !ok {
		light := lightened(rec, false)
		key, content = alikeTo(&light)
		for i := range content {
			content[i].ID = ""
		}
		if light.Message != nil {
			light.Message.ToolCallID, light.Message.Usage = "", nil
		}
		known = w.number(&light)
		w.alike[key] = known
	}
	it.rec = known
}

func hasCalls(content []record.Block) bool {
	for i := range content {
		if content[i].Kind == record.BlockToolCall {
			return true
		}
	}
	return false
}

func alikeTo(rec *record.Record) (alike, []record.Block) {
	key := alike{kind: rec.Type}
	var content []record.Block
	if m := rec.Message; m != nil {
		key.role, key.isError, key.model, key.provider, key.stopReason = m.Role, m.IsError, m.Model, m.Provider, m.StopReason
		content = m.Content
	} else {
		key.namespace, key.role, content = rec.Note.Namespace, rec.Note.Role, rec.Note.Content
	}
	var blocks strings.Builder
	for i := range content {
		b := &content[i]
		fmt.Fprintf(&blocks, "%d %t %t %t %q,", b.Kind, b.Text != "", b.Aside, b.AnyProvider, b.Name)
	}
	key.blocks = blocks.String()
	return key, content
}

// count puts into an item what a message or a note counts, what was reported with it, and the ids of its calls, or that of the one which it
// answers.
func (w *walk) count(it *item, rec *record.Record, content []record.Block) {
	it.ids = w.ids.Len()
	for i := range content {
		switch {
		case content[i].Kind == record.BlockToolCall:
			w.ids.Add(content[i].ID)
			fallthrough
		case content[i].Kind != record.BlockThinking || content[i].AnyProvider && rec.Message != nil:
			it.quarters += w.quartersOf(content[i])
		default:
			it.thinking += w.quartersOf(content[i])
		}
	}
	if m := rec.Message; m != nil {
		w.report(it, m)
		if m.Role == record.RoleToolResult {
			w.ids.Add(m.ToolCallID)
		}
	}
	it.idsEnd = w.ids.Len()
}

// report keeps the usage of the newest answers, until there are enough to calibrate by.
func (w *walk) report(it *item, m *record.Message) {
	if m.Role != record.RoleAssistant || w.usable >= tokens.PointsUsed {
		return
	}
	usage := usageOf(m)
	if usage == nil {
		return
	}
	w.usage.Add(*usage)
	it.usage = int32(w.usage.Len()) //nolint:gosec // nobody holds so many
	if !discounted(m) && usage.Prompt() > 0 {
		w.usable++
	}
}

func (w *walk) quartersOf(block record.Block) int {
	if w.unmeasured {
		return 0
	}
	return quartersOf(block)
}

// callsOf are the ids of the calls of a row, whose message it is.
func (w *walk) callsOf(of row, m *Message) []string {
	if m.Role != record.RoleAssistant {
		return nil
	}
	var ids []string
	if of.own == none {
		it := w.items.At(int(of.item))
		for id := it.ids; id < it.idsEnd; id++ {
			ids = append(ids, w.ids.At(id))
		}
		return ids
	}
	for _, block := range m.Content {
		if block.Kind == record.BlockToolCall {
			ids = append(ids, block.ID)
		}
	}
	return ids
}

// roleOf is who says what is in a row.
func (w *walk) roleOf(of row) record.Role {
	if of.own != none {
		return w.rows.own[of.own].Role
	}
	if m := w.records[w.items.At(int(of.item)).rec].Message; m != nil {
		return m.Role
	}
	return record.RoleUser
}

// estimate is [Estimate] of what of an item's message is sent, and recorded of all that was recorded.
func (c *Context) estimate(it item, from *record.Message) (sent, recorded int) {
	var tally tokens.Tally
	tally.AddQuarters(it.quarters)
	if from != nil && from.Provider == c.thinks {
		tally.AddQuarters(it.thinking)
	}
	var all tokens.Tally
	all.AddQuarters(it.quarters + it.thinking)
	return tally.Tokens(), all.Tokens()
}
