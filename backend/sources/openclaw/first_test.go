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

// TestPlacesOfTheFirstVersion: in it entries have no ids, and a compaction names the first that it keeps by its place.
func TestPlacesOfTheFirstVersion(t *testing.T) {
	lines := `{"type":"session","id":"s1","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"}` + "\n"
	for _, members := range []string{user("one"), said("two"), user("three"), `"type":"compaction","summary":"S","firstKeptEntryIndex":2,"tokensBefore":5`, user("five")} {
		lines += `{"timestamp":"2026-01-02T10:00:00.000Z",` + members + "}\n"
	}
	if got, want := reading(t, lines).Seen(t), "user: «S»\nassistant: two\nuser: three\nuser: five\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestMessagesCounted: a list counts the messages that a reading has, and none that are notes there.
func TestMessagesCounted(t *testing.T) {
	home := t.TempDir()
	sourcetest.Write(t, home, sessionsDir+"s1.jsonl", text("a - "+user("one"), "b a "+user("Pre-compaction memory flush."), "c b "+said("NO_REPLY"),
		`d c "type":"message","message":{"role":"bashExecution","command":"ls","output":"x"}`,
		`e d "type":"message","message":{"role":"toolResult","toolCallId":"c","content":[]}`,
		`f e "type":"message","message":{"role":"assistant","provider":"openclaw","model":"delivery-mirror","content":"x"}`,
		`g f "type":"message","message":{"role":"user","content":"x","excludeFromContext":true}`))
	env := sourcetest.Env(t, home)
	f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	said := 0
	for _, rec := range sourcetest.Read(t, Source{}, env, f).Records {
		if rec.Message != nil {
			said++
		}
	}
	if said != 5 || *f.Messages != said {
		t.Errorf("%d are told, and %d are there", *f.Messages, said)
	}
}
