package export

import (
	"palimpsest/backend/many"
	"palimpsest/backend/record"
)

// calls are those that were written, each with the entry of its result. Pi sends every result that is a message, and a model's server refuses
// one that belongs to no call, or to a call that has another.
type calls struct{ results many.IDs }

// answered is added to the entry of a result; open is a call without one.
const (
	open     = 0
	answered = 1
)

// note takes what was written as an entry.
func (c *calls) note(m *record.Message, entry int) {
	switch m.Role {
	case record.RoleToolResult:
		c.results.Put(m.ToolCallID, entry+answered)
	case record.RoleAssistant:
		if m.StopReason == record.StopError || m.StopReason == record.StopAborted { // pi does not send it
			return
		}
		for i := range m.Content {
			if b := &m.Content[i]; b.Kind == record.BlockToolCall && !b.Aside {
				c.results.Put(b.ID, open)
			}
		}
	case record.RoleUser:
	}
}

// answers tells whether a message behind an entry is none of a result, or the first of a call.
func (c *calls) answers(m *record.Message, leaf int, written *entries) bool {
	if m.Role != record.RoleToolResult {
		return true
	}
	n, known := c.results.Get(m.ToolCallID)
	return known && (n == open || !written.holds(leaf, n-answered))
}
