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

// voicesOf are those of the messages that a compaction puts in the place of others, of which no line tells if one is left out.
func voicesOf(replacement []record.Message, unheard []bool) []voice {
	voices := make([]voice, len(replacement))
	for i := range replacement {
		if !unheard[i] {
			voices[i] = voiceOf(&replacement[i])
		}
	}
	return voices
}
