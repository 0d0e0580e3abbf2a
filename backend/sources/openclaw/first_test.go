package openclaw

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestLongFirstPrompt: a first prompt that is longer than what a list reads is the first message all the same.
func TestLongFirstPrompt(t *testing.T) {
	events := text("a - "+user("begin "+strings.Repeat("x ", 150<<10)), "b a "+said("yes"), "c b "+user("second"))
	for _, inDatabase := range []bool{false, true} {
		home := t.TempDir()
		if inDatabase {
			database(t, home, events)
		} else {
			sourcetest.Write(t, home, sessionsDir+"s1.jsonl", events)
		}
		if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home))); !strings.HasPrefix(f.FirstMessage, "begin x") {
			t.Errorf("in a database %v: %.20q", inDatabase, f.FirstMessage)
		}
	}
}
