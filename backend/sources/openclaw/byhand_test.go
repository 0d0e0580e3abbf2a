package openclaw

import (
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestIndexByHand: what a person wrote in the index is taken as early versions do, JSON5; one that was cut off tells nothing.
func TestIndexByHand(t *testing.T) {
	const entries = "{ // mine\n 'agent:main:main': {sessionId: 's1', label: 'M\\x79 label',}, \"b\": {sessionId: \"s2\", displayName: \"two\"}"
	for end, want := range map[string][2]string{"}": {"My label", "two"}, "": {"", ""}} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
			sessionsDir + "sessions.json": entries + end, sessionsDir + "s1.jsonl": text("1 - " + user("one")), sessionsDir + "s2.jsonl": as("s2", text("1 - "+user("two"))),
		}))
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		if found["s1"].Title != want[0] || found["s2"].Title != want[1] {
			t.Errorf("ends with %q: %q, %q", end, found["s1"].Title, found["s2"].Title)
		}
	}
}
