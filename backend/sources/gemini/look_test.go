package gemini

import (
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestSubagentUnderItsParentsID: a sub-agent whose file names the session that started it has its file's name for an id, and that one its own.
func TestSubagentUnderItsParentsID(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		chats + "session-1-s1.jsonl": file(set(start), user("u1", "asked")),
		chats + "s1/sub.jsonl":       file(user("u1", "given")),
	})
	env := sourcetest.Env(t, home)
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	main, sub := found["s1"], found["sub"]
	if len(found) != 2 || main.FirstMessage != "asked" || main.Parent != "" || sub.FirstMessage != "given" || sub.Parent != "s1" || sub.Relation != sources.Subagent {
		t.Fatalf("%+v", found)
	}
	for _, f := range found {
		if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil {
			t.Errorf("%s: %v", f.ID, r.Err)
		}
	}
}
