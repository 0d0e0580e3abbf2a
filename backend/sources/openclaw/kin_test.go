package openclaw

import (
	"path/filepath"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestBegunByAnotherAgent: the key of a conversation names its agent, and a sub-agent may be of another one: in files or in a database, each with
// an index of its own.
func TestBegunByAnotherAgent(t *testing.T) {
	const main, helper, elsewhere = ".openclaw/agents/main/sessions/", ".openclaw/agents/helper/sessions/", ".openclaw-other/agents/main/sessions/"
	parent, child := as("p1", text("1 - "+user("go"))), as("h1", text("1 - "+user("do it")))
	const began = `{"agent:helper:subagent:u":{"sessionId":"h1","spawnedBy":"agent:main:main"}}`
	const begins = `{"agent:main:main":{"sessionId":"p1"}}`
	for name, c := range map[string]struct {
		files    map[string]string
		database []string // of the agent main, changed by these; nil is none
		want     string
	}{
		"files":                  {map[string]string{main + "p1.jsonl": parent, main + "sessions.json": begins, helper + "h1.jsonl": child, helper + "sessions.json": began}, nil, "p1"},
		"a parent in a database": {map[string]string{helper + "h1.jsonl": child, helper + "sessions.json": began}, []string{}, "s1"},
		"in a database": {
			map[string]string{helper + "h1.jsonl": child, helper + "sessions.json": `{"agent:helper:main":{"sessionId":"h1"}}`},
			[]string{"UPDATE session_nodes SET spawned_by = 'agent:helper:main'"},
			"h1",
		},
		"a parent that is called otherwise here": {
			map[string]string{
				".openclaw/agents/a/sessions/p1.jsonl": as("p1", text("1 - "+user("another"))),
				main + "p1.jsonl":                      parent, main + "sessions.json": begins, helper + "h1.jsonl": child, helper + "sessions.json": began,
			}, nil, "p1@main",
		},
		"one that another agent has from before a move": {
			map[string]string{
				".openclaw/sessions/old.jsonl": as("old", text("1 - "+user("old"))), ".openclaw/sessions/sessions.json": `{"agent:main:main":{"sessionId":"old"}}`,
				main + "p1.jsonl": parent, main + "sessions.json": begins, helper + "h1.jsonl": child, helper + "sessions.json": began,
			}, nil, "p1",
		},
		"a parent with a topic beside it": {
			map[string]string{
				main + "p1.jsonl": parent, main + "p1-topic-77.jsonl": parent + "x", main + "sessions.json": `{"agent:main:main":{"sessionId":"p1"},"agent:main:subagent:u":{"sessionId":"h1","spawnedBy":"agent:main:main"}}`,
				main + "h1.jsonl": child,
			}, nil, "p1",
		},
		"a parent of another agent with a topic beside it": {
			map[string]string{main + "p1.jsonl": parent, main + "p1-topic-77.jsonl": parent, main + "sessions.json": begins, helper + "h1.jsonl": child, helper + "sessions.json": began}, nil, "p1",
		},
		"another directory of state": {map[string]string{elsewhere + "p1.jsonl": parent, elsewhere + "sessions.json": begins, helper + "h1.jsonl": child, helper + "sessions.json": began}, nil, ""},
		"nobody's":                   {map[string]string{helper + "h1.jsonl": child, helper + "sessions.json": `{"agent:helper:u":{"sessionId":"h1","spawnedBy":"main"}}`}, nil, ""},
	} {
		home := sourcetest.Home(t, c.files)
		of := "h1"
		if c.database != nil {
			database(t, home, text("1 - "+user("one")), append([]string{"UPDATE session_windows SET previous_session_id = NULL"}, c.database...)...)
			if len(c.database) > 0 {
				of = "s1"
			}
		}
		var got sources.Found
		for _, f := range sourcetest.Find(t, Source{}, sourcetest.Env(t, home)) {
			if f.ID == of {
				got = f
			}
		}
		relation := sources.Subagent
		if c.want == "" {
			relation = ""
		}
		if len(got.Files) == 0 || got.Parent != c.want || got.Relation != relation {
			t.Errorf("%s: %q as %q, not %q, of %s", name, got.Parent, got.Relation, c.want, filepath.Base(home))
		}
	}
}
