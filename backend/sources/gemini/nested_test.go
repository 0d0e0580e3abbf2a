package gemini

import (
	"path/filepath"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// starting is an answer with a call that started a sub-agent.
func starting(id, agent string) string {
	return `{"id":"` + id + `","timestamp":"2026-01-02T10:00:01Z","type":"gemini","content":"","toolCalls":[{"id":"c` + id +
		`","name":"invoke_agent","args":{},"status":"success","agentId":"` + agent + `"}]}`
}

// TestNested: all sub-agents stand in the folder of the session that the first was started in; which of them started another one is in the
// calls of its own file.
func TestNested(t *testing.T) {
	files := map[string]string{
		chats + "session-1-s1.jsonl": file(set(start), user("u1", "asked"), starting("g1", "aaa111")),
		chats + "s1/aaa111.jsonl":    `{"sessionId":"aaa111","kind":"subagent"}` + "\n" + user("u1", "given") + "\n" + starting("g1", "bbb222") + "\n",
		chats + "s1/bbb222.jsonl":    `{"sessionId":"bbb222","kind":"subagent"}` + "\n" + user("u1", "given on") + "\n" + starting("g1", "ccc333") + "\n" + starting("g2", "bbb222") + "\n",
		chats + "s1/ccc333.jsonl":    `{"sessionId":"ccc333","kind":"subagent"}` + "\n" + user("u1", "last") + "\n" + starting("g1", "aaa111") + "\n" + starting("g2", "ddd444") + "\n",
		chats + "s1/ddd444.jsonl":    `{"sessionId":"s1","kind":"subagent"}` + "\n" + user("u1", "with another's id") + "\n",
		chats + "s1/eee555.jsonl":    `{"sessionId":"eee555","kind":"subagent"}` + "\n" + user("u1", `who says \"agentId\":\"fff666\"`) + "\n",
		chats + "s1/fff666.json":     `{"sessionId":"fff666","kind":"subagent","messages":[` + user("u1", "early") + `,` + starting("g1", "eee555") + `]}`,
	}
	env := sourcetest.Env(t, sourcetest.Home(t, files))
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "memory"), "1")
	for range 2 { // from memory, too
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		for id, parent := range map[string]string{"s1": "", "aaa111": "s1", "bbb222": "aaa111", "ccc333": "bbb222", "ddd444": "ccc333", "eee555": "fff666", "fff666": "s1"} {
			if f := found[id]; f.ID == "" || f.Parent != parent || parent != "" && f.Relation != sources.Subagent {
				t.Errorf("%s: %+v", id, f)
			}
		}
	}
}
