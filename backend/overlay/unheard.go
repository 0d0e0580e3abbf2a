package overlay

import "palimpsest/backend/record"

// Unheard tells which of the messages that a compaction puts in the place of others the model is not sent: those that have no place in any
// context, and results whose calls have none or stand before the compaction. Of its own lines a context tells that; these have none.
func Unheard(replacement []record.Message) []bool {
	out := make([]bool, len(replacement))
	open := map[string][]bool{} // whether calls without a result are unheard, the last of which is answered next
	for i := range replacement {
		m := &replacement[i]
		out[i] = LeftOut(m)
		switch m.Role {
		case record.RoleToolResult:
			calls := open[m.ToolCallID]
			n := len(calls) - 1
			if out[i] = n < 0 || calls[n]; n >= 0 {
				open[m.ToolCallID] = calls[:n]
			}
		case record.RoleAssistant:
			for _, b := range m.Content {
				if b.Kind == record.BlockToolCall {
					open[b.ID] = append(open[b.ID], out[i])
				}
			}
		case record.RoleUser:
		}
	}
	return out
}
