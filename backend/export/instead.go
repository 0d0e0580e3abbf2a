package export

import (
	"strings"

	"palimpsest/backend/record"
	"palimpsest/backend/states"
)

// Instead tells what compactions put in the place of messages. Most of that stands before them, too, or in the compaction before: what a
// reader of the document has read is not told again, unless that was long ago.
type Instead struct{ told, before map[uint64]bool }

// toldMost is how many contents are known of which it was told last; as many of those before them may be, too.
const toldMost = 1 << 15

// Of takes a record, in the order of the document, and returns the messages that it put in the place of others and that say something new.
func (in *Instead) Of(rec *record.Record) []record.Message {
	in.new(states.Said(rec))
	if rec.Compaction == nil {
		return nil
	}
	in.new([]record.Block{record.TextBlock(rec.Compaction.Summary)})
	var fresh []record.Message
	for _, m := range rec.Compaction.Replacement {
		if in.new(m.Content) {
			fresh = append(fresh, m)
		}
	}
	return fresh
}

// new tells whether a content says what was not told yet, and notes that it is now.
func (in *Instead) new(content []record.Block) bool {
	words := states.Words(content)
	if words == 0 || in.told[words] || in.before[words] {
		return false
	}
	if in.told == nil || len(in.told) == toldMost {
		in.told, in.before = map[uint64]bool{}, in.told
	}
	in.told[words] = true
	return true
}

// Unreadable stands where a compaction has neither a summary nor messages in place of one.
const Unreadable = "[the summary is empty or not readable]"

// Wordless tells whether a compaction says nothing at all.
func Wordless(c *record.Compaction) bool {
	return strings.TrimSpace(c.Summary) == "" && len(c.Replacement) == 0
}

// InPlace says before a message of [Instead] what it is.
func InPlace(m *record.Message) string { return "in its place, " + OneLine(string(m.Role)) }

// Failure is why an answer failed, empty if it stands in its words already, on lines of its own, as with some agents.
func Failure(m *record.Message) string {
	lines := func(text string) string { return "\n" + strings.TrimSpace(text) + "\n" }
	for i := range m.Content {
		if b := &m.Content[i]; b.Kind == record.BlockText && strings.Contains(lines(b.Text), lines(m.ErrorMessage)) {
			return ""
		}
	}
	return m.ErrorMessage
}
