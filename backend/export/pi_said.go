package export

import (
	"cmp"

	"palimpsest/backend/record"
	"palimpsest/backend/siphash"
)

// What is said is told apart by sums: nothing is that of what the model gets nothing of, and another that of what nothing else is the same as.
const (
	nothing = 0
	another = 1
)

// saidBy is the sum of what the model gets of a message that pi has.
func saidBy(m *record.Message) uint64 {
	if m.Aside || m.StopReason == record.StopError || m.StopReason == record.StopAborted {
		return nothing
	}
	h := siphash.Ours().New()
	put := func(text string) {
		h.WriteString(text)
		h.Add(0)
	}
	says := m.Role == record.RoleToolResult
	put(string(m.Role))
	put(m.ToolCallID)
	if m.IsError {
		put("failed")
	}
	for i := range m.Content {
		b := &m.Content[i]
		if b.Aside || images(m.Role, b) {
			continue
		}
		says = true
		h.Add(byte(b.Kind))
		switch b.Kind {
		case record.BlockText:
			put(b.Text)
			put(b.Blob)
		case record.BlockToolCall:
			put(b.ID)
			put(b.Name)
			put(b.Arguments)
		case record.BlockThinking, record.BlockImage, record.BlockUnknown, record.BlockAsIs:
			put(b.JSON)
		}
	}
	if !says {
		return nothing
	}
	return max(h.Sum(), another+1)
}

// saidBack is that of the summary of a branch.
func saidBack(b *record.Branch) uint64 {
	frame := cmp.Or(b.Frame, &record.Frame{})
	return saidBy(&record.Message{Role: cmp.Or(frame.Role, record.RoleUser), Content: []record.Block{record.TextBlock(frame.Say(b.Summary))}})
}
