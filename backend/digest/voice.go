package digest

import (
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// voice tells what of a message the model hears, as package overlay makes it valid. That of a note, which nobody said, is [noted].
type voice struct {
	// heard are its words, calls its calls, and thinks its thinking, which goes to the provider only that it came from.
	heard, calls, thinks bool
	provider             string
}

var noted = voice{heard: true}

// voiceOf is that of a message that has a line of its own: if it has no place in any context, the line tells. In the place of a result of
// which nothing can be sent stand other words.
func voiceOf(m *record.Message) voice {
	empty := m.Role == record.RoleToolResult && overlay.LeftOut(&record.Message{Role: record.RoleUser, Content: m.Content})
	return voice{heard: true, calls: m.Role == record.RoleAssistant, thinks: !empty, provider: m.Provider}
}

// voicesOf are those of the messages that a compaction puts in the place of others, of which no line tells if one is left out: those that
// have no place in any context, and results whose calls have none or stand before the compaction.
func voicesOf(replacement []record.Message) []voice {
	voices := make([]voice, len(replacement))
	open := map[string][]voice{} // of calls without a result, the last of which is answered next
	for i := range replacement {
		m := &replacement[i]
		v := voiceOf(m)
		if overlay.LeftOut(m) {
			v = voice{}
		}
		switch m.Role {
		case record.RoleToolResult:
			calls := open[m.ToolCallID]
			if n := len(calls) - 1; n >= 0 {
				v.heard, open[m.ToolCallID] = calls[n].heard, calls[:n]
			} else {
				v.heard = false
			}
			v.thinks = v.thinks && v.heard
		case record.RoleAssistant:
			for _, b := range m.Content {
				if b.Kind == record.BlockToolCall {
					open[b.ID] = append(open[b.ID], v)
				}
			}
		case record.RoleUser:
		}
		voices[i] = v
	}
	return voices
}
