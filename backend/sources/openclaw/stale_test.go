package openclaw

import (
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestStalePath: an entry of the index is that of the file whose name its path ends with, on whichever machine that was.
func TestStalePath(t *testing.T) {
	for _, path := range []string{"/elsewhere/then/s1-topic-7.jsonl", `C:\\then\\s1-topic-7.jsonl`, "s1-topic-7.jsonl"} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
			sessionsDir + "sessions.json":    `{"agent:main:topic":{"sessionId":"another","sessionFile":"` + path + `","label":"The topic"}}`,
			sessionsDir + "s1-topic-7.jsonl": text("1 - " + user("a topic")),
		}))
		f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		if f.Title != "The topic" || f.Key != "agent:main:topic" {
			t.Errorf("%s: %+v", path, f)
		}
		if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil || r.Seen(t) != "user: a topic\n" {
			t.Errorf("%s: %v\n%s", path, r.Err, r.Story())
		}
	}
}
