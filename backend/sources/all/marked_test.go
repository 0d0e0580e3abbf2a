package all

import (
	"maps"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// documents are files that are one JSON value each, as some agents have them, beside a session.
var documents = map[string]map[string]string{
	"gemini":   {".gemini/tmp/app/chats/session-1-s2.json": `{"sessionId":"s2","startTime":"2026-01-02T10:00:00Z","messages":[{"id":"1","type":"user","content":"one object"}]}`},
	"picoclaw": {".picoclaw/workspace/sessions/cli_x.json": `{"key":"cli:x","messages":[{"role":"user","content":"one object"}],"summary":"","created":"2026-01-02T10:00:00Z"}`},
	"openclaw": {".openclaw/agents/main/sessions/sessions.json": `{"agent:main:main":{"sessionId":"s1","label":"named"}}`},
	"claudecode": {
		".claude/projects/-w/" + claudeID + "/subagents/agent-a1.jsonl":     `{"type":"user","uuid":"s","isSidechain":true,"agentId":"a1","sessionId":"` + claudeID + `","timestamp":"2026-01-02T10:00:00Z","message":{"role":"user","content":"below"}}` + "\n",
		".claude/projects/-w/" + claudeID + "/subagents/agent-a1.meta.json": `{"description":"named","toolUseId":"good"}`,
	},
	"crabtalk": {
		".crabtalk/sessions/crab_user_2/meta":        `{"agent":"crab","created_by":"user","title":"named"}`,
		".crabtalk/sessions/crab_user_2/step-000001": `{"role":"user","content":"one object"}`,
	},
}

// TestMarked: what editors put before a text that they save, a byte order mark, is no part of it.
func TestMarked(t *testing.T) {
	everyAgent(t, func(t *testing.T, source sources.Source, s spoken) {
		files := s.files([]string{"one"}, "no")
		maps.Copy(files, documents[source.Agent()])
		type told struct {
			title, first, call, problem string
			records, damaged            int
		}
		look := func(mark string) map[string]told {
			env := sourcetest.Env(t, t.TempDir())
			for file, text := range files {
				sourcetest.Write(t, env.Home, file, mark+text)
			}
			out := map[string]told{}
			for _, f := range sourcetest.Find(t, source, env) {
				r := sourcetest.Read(t, source, env, f)
				out[f.ID] = told{f.Title, f.FirstMessage, f.Call, f.Problem, len(r.Records), r.Damaged}
			}
			return out
		}
		if want, got := look(""), look("\xEF\xBB\xBF"); len(want) == 0 || !maps.Equal(want, got) {
			t.Errorf("%+v, not %+v", got, want)
		}
	})
}
