package codex

import (
	"slices"
	"testing"
)

// TestOtherAgents: what another agent sends is in the context and begins a turn, in whatever form it was written, and an older compaction keeps
// nothing of it.
func TestOtherAgents(t *testing.T) {
	const told = `{\"author\":\"/root\",\"recipient\":\"/root/a\",\"content\":\"go\",\"trigger_turn\":true}`
	for name, c := range map[string]struct{ line, shown string }{
		"an item": {
			item(`{"type":"agent_message","author":"/root","recipient":"/root/a","content":[{"type":"input_text","text":"go"}]}`), "user: go",
		},
		"a line": {
			`inter_agent_communication {"author":"/root","recipient":"/root/a","content":"go","trigger_turn":true}`, "user: go",
		},
		"an encrypted one": {
			`inter_agent_communication {"author":"/root","recipient":"/root/a","content":"","encrypted_content":"xyz","trigger_turn":false}`,
			"user: Message Type: MESSAGE\nTask name: /root/a\nSender: /root\nPayload:\n",
		},
		"an answer": {
			item(says(told)), `assistant: {"author":"/root","recipient":"/root/a","content":"go","trigger_turn":true}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			lines := []string{header(id, ""), item(user("one")), item(says("A")), c.line, item(says("B"))}
			for _, more := range []struct {
				lines []string
				want  []string
			}{
				{nil, []string{"user: one", "assistant: A", c.shown, "assistant: B"}},
				{[]string{rollBack(1)}, []string{"user: one", "assistant: A"}},
				{[]string{`compacted {"message":"` + summary("S") + `"}`, rollBack(1)}, nil},
			} {
				got := read(t, envelope(0, append(slices.Clone(lines), more.lines...)...)).View(t)
				if !slices.Equal(got, more.want) {
					t.Errorf("%q: %q, not %q", more.lines, got, more.want)
				}
			}
		})
	}
	r := read(t, envelope(0, header(id, ""), item(user("one")), item(says(`{\"author\":\"a person\"}`)), rollBack(1)))
	if got := r.View(t); len(got) > 0 {
		t.Errorf("an answer that is JSON: %q", got)
	}
}
