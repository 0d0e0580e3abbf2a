package backend

import "testing"

// TestQueryFindsIDs: what a person has of an id is its beginning, mostly without the agent; a few letters are words.
func TestQueryFindsIDs(t *testing.T) {
	r := row{Session: Session{ID: "codex:14F23F1C-bd7a-4c52-b1fc-424b5722fec3"}}
	for query, want := range map[string]bool{
		"14f23f1c": true, "14f23f1c-bd7a-4c52-b1fc-424b5722fec3": true, "codex:14f": true, "codex:14f23f1c-bd": true,
		"14f": false, "bd7a-4c52-b1fc": false, "codex:24f23f1c": false,
	} {
		if r.matches(query) != want {
			t.Errorf("%s: %t", query, !want)
		}
	}
}
