package crabtalk

import (
	"strings"
	"testing"
)

// TestGuests: the model sees who else answered, in each form that a message has had; what a user said stays as it is.
func TestGuests(t *testing.T) {
	_, r := read(t, map[string]string{dir + "crab_user_1.jsonl": strings.Join([]string{
		talk[0], `{"agent":"guest","message":{"role":"user","content":[{"type":"text","text":"ask"}]}}`,
		`{"agent":"guest","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"one"},{"type":"text","text":"two"}]}}`,
		`{"agent":"other","message":{"role":"assistant","content":"three","reasoning_content":"ah"}}`,
		`{"agent":"","message":{"role":"assistant","content":"four"}}`,
		`{"agent":"crab","role":"assistant","content":"five"}`,
	}, "\n") + "\n"})
	const want = `user: ask
assistant: ~hm <from agent="guest">\none\n</from> <from agent="guest">\ntwo\n</from>
assistant: ~ah <from agent="other">\nthree\n</from>
assistant: four
assistant: five
`
	if got := r.Seen(t); got != want {
		t.Errorf("%s", got)
	}
}
