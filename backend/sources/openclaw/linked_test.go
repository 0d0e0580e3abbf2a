package openclaw

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestAnsweredByAnotherAgent: a conversation that another agent answers, and of which nothing is here, is that agent's; in files and in databases.
func TestAnsweredByAnotherAgent(t *testing.T) {
	const said1, linked = `"claudeCliSessionId":"c1"`, `"cliSessionIds":{"claude-cli":"c1"}`
	empty, full := text(), text("1 - "+user("here"))
	for _, c := range []struct {
		entry, events string
		listed        bool
	}{{said1, empty, false}, {linked, empty, false}, {said1, full, true}, {`"cliSessionIds":{}`, empty, true}} {
		home := sourcetest.Home(t, map[string]string{
			".openclaw/agents/files/sessions/f1.jsonl":      as("f1", c.events),
			".openclaw/agents/files/sessions/sessions.json": `{"k":{"sessionId":"f1",` + c.entry + `}}`,
		})
		database(t, home, c.events, "UPDATE session_nodes SET entry_json = '{"+c.entry+"}'")
		found := slices.Sorted(maps.Keys(sourcetest.ByID(sourcetest.Find(t, Source{}, sourcetest.Env(t, home)))))
		want := ""
		if c.listed {
			want = "f1 s1"
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s, %d bytes: %q", c.entry, len(c.events), got)
		}
	}
}

// TestEmptyFileOfAnotherAgents: of such a conversation the file may have nothing in it, not even its first line.
func TestEmptyFileOfAnotherAgents(t *testing.T) {
	for entry, listed := range map[string]int{`,"cliSessionIds":{"claude-cli":"c1"}`: 0, "": 1} {
		home := sourcetest.Home(t, map[string]string{
			sessionsDir + "f1.jsonl": "", sessionsDir + "sessions.json": `{"k":{"sessionId":"f1"` + entry + `}}`,
		})
		if found := sourcetest.Find(t, Source{}, sourcetest.Env(t, home)); len(found) != listed {
			t.Errorf("%s: %+v", entry, found)
		}
	}
}
