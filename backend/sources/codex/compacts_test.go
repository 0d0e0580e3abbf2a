package codex

import (
	"slices"
	"strings"
	"testing"
)

// TestNoCompaction: Codex (0.171 was run) resumes as if a compaction were not there that has a message or a history of another kind than it
// writes. It is kept, and shown as what it is.
func TestNoCompaction(t *testing.T) {
	all := []string{"user: one", "assistant: A", "user: two"}
	for payload, want := range map[string][]string{
		`{"message":null}`:         all,
		`{}`:                       all,
		`{"message":5}`:            all,
		`{"message":{"text":"S"}}`: all,
		`{"message":null,"replacement_history":[` + user("H") + `]}`:                          all,
		`{"replacement_history":[` + user("H") + `]}`:                                         all,
		`{"message":"S","replacement_history":{"a":1}}`:                                       all,
		`{"message":"S","replacement_history":[` + user("H") + `,{"role":"user"}]}`:           all,
		`{"message":"S","replacement_history":null}`:                                          {"user: one", "user: S", "user: two"},
		`{"message":"","replacement_history":[` + user("H") + `,{"type":"something newer"}]}`: {"user: H", "user: two"},
	} {
		r := read(t, envelope(0, header(id, ""), item(user("one")), item(says("A")), "compacted "+payload, item(user("two"))))
		if got := r.View(t); !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", payload, got, want)
		}
		if kept := strings.Contains(r.Story(), "codex.compacted"); kept != (len(want) == len(all) && want[1] == all[1]) {
			t.Errorf("%s: kept as a note: %v\n%s", payload, kept, r.Story())
		}
	}
}
