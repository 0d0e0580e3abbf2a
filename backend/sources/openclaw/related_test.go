package openclaw

import (
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestRelations: what a session came from is told by its window, its conversation or the head of its transcript, in this order.
func TestRelations(t *testing.T) {
	const child = "UPDATE session_nodes SET spawned_by = 'agent:main:other'"
	const other = "INSERT INTO session_nodes (session_key, current_session_id) VALUES ('agent:main:other', 'o1')"
	forked := func(reason string) []string {
		return []string{
			"UPDATE session_windows SET previous_session_id = NULL, reason = " + reason,
			"ALTER TABLE session_nodes ADD fork_source_session_id TEXT", "UPDATE session_nodes SET fork_source_session_id = 'f0'",
		}
	}
	headed := strings.Replace(text("1 - "+user("one")), `"cwd"`, `"parentSession":"/s/h0.jsonl","cwd"`, 1)
	for name, c := range map[string]struct {
		events string
		more   []string
		parent string
		as     sources.Relation
	}{
		"window":                          {text("1 - " + user("one")), nil, "s0", sources.Continuation},
		"window, and a head":              {headed, nil, "s0", sources.Continuation},
		"sub-agent":                       {text("1 - " + user("one")), []string{child, other}, "o1", sources.Subagent},
		"sub-agent, and a head":           {headed, []string{child, other}, "o1", sources.Subagent},
		"fork":                            {text("1 - " + user("one")), forked("'fork'"), "f0", sources.Fork},
		"fork whose window has no reason": {text("1 - " + user("one")), forked("'initial'"), "f0", sources.Fork},
		"fork, begun anew":                {text("1 - " + user("one")), forked("'reset'"), "", ""},
		"sub-agent with a fork's context": {headed, append(forked("'fork'"), child, other), "o1", sources.Subagent},
		"head alone":                      {headed, []string{"UPDATE session_windows SET previous_session_id = NULL"}, "h0", sources.Fork},
	} {
		home := t.TempDir()
		database(t, home, c.events, c.more...)
		f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home)))
		if f.Parent != c.parent || f.Relation != c.as {
			t.Errorf("%s: %q as %q, not %q as %q", name, f.Parent, f.Relation, c.parent, c.as)
		}
	}
}
