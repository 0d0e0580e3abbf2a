package server

import (
	"mime"
	"net/http"
	"strings"
	"testing"

	"palimpsest/backend"
	"palimpsest/backend/sources/all"
	"palimpsest/backend/sources/sourcetest"
)

const piSession = `{"type":"session","version":3,"id":"a/b c","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-02T10:00:01.000Z","message":{"role":"user","content":"first"}}
`

// abroad is a server on a machine with a session of pi.
func abroad(t *testing.T) (f *fixture, home string) {
	t.Helper()
	home = t.TempDir()
	sourcetest.Write(t, home, ".pi/agent/sessions/x/x.jsonl", piSession)
	f = start(t)
	others, release := all.Open()
	b, err := backend.Open(backend.Options{Home: f.home, UserHome: home, Cache: t.TempDir(), Sources: others, Release: release})
	must(t, err)
	f.backend.Close()
	f.backend, f.server.backend = b, b
	return f, home
}

func TestSessionsOfOtherAgents(t *testing.T) {
	f, home := abroad(t)
	sourcetest.Unchanged(t, home, func() {
		list := ok[[]backend.Session](f, http.StatusOK, "GET", "/api/sessions?agent=pi", "")
		if len(list) != 1 || list[0].ID != "pi:a/b c" || !list[0].Foreign {
			t.Fatalf("%+v", list)
		}
		const at = "/api/sessions/pi%3Aa%2Fb%20c"
		for _, path := range []string{"", "/records", "/records/1", "/outline", "/prompts", "/find?q=first", "/context", "/sizes", "/turns"} {
			if a := f.ask("GET", at+path, ""); a.status != http.StatusOK {
				t.Errorf("%s: %d %s", path, a.status, a.body)
			}
		}
		for request, body := range map[string]string{
			"PATCH ": `{"name":"x"}`, "DELETE ": "", "POST /forks": "{}", "POST /records": `{"recordType":"message","role":"user","content":[]}`,
			"POST /reverts": `{"targetSeq":1}`, "GET /compactions/plan": "", "POST /compactions": "{}", "POST /fidelity": "{}", "POST /drafts": "{}",
			"POST /messages": `{"text":"x"}`, "GET /permissions": "", "PUT /permissions": `{"permissions":[]}`, "POST /undos": `{"sinceSeq":0}`,
		} {
			method, path, _ := strings.Cut(request, " ")
			a := f.ask(method, at+path, body)
			if a.status != http.StatusBadRequest || !strings.Contains(string(a.body), "palimpsest import pi:a/b c") {
				t.Errorf("%s: %d %s", request, a.status, a.body)
			}
		}
	})
	for id, status := range map[string]int{
		"pi%3Anobody": 404, "codex:x": 404, "pi:": 400, "moon:x": 400, "pi%3A%00": 400, "pi": 400, "pi%3A..%2F..%2Fx": 404,
	} {
		if a := f.ask("GET", "/api/sessions/"+id+"/context", ""); a.status != status {
			t.Errorf("%s: %d %s", id, a.status, a.body)
		}
	}
}

func TestImports(t *testing.T) {
	f, _ := abroad(t)
	made := ok[backend.Import](f, http.StatusCreated, "POST", "/api/imports", `{"id":"pi:a/b c"}`)
	again := ok[backend.Import](f, http.StatusOK, "POST", "/api/imports", `{"id":"pi:a/b c"}`)
	if made.ID != again.ID || *made.ImportedFrom != "pi:a/b c" || again.Did != backend.ImportUnchanged {
		t.Errorf("%+v, then %+v", made, again)
	}
	for body, status := range map[string]int{
		`{"id":"pi:x"}`: 404, `{"id":"x"}`: 400, `{}`: 400, `{"id":"` + made.ID + `"}`: 400,
	} {
		if a := f.ask("POST", "/api/imports", body); a.status != status {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
}

func TestAgents(t *testing.T) {
	f, _ := abroad(t)
	agents := ok[[]backend.Agent](f, http.StatusOK, "GET", "/api/agents", "")
	for _, a := range agents {
		want := 0
		if a.Name == "pi" {
			want = 1
		}
		if a.Count != want || a.Problem != nil || len(a.Roots) == 0 || len(a.Capabilities) != len(sourcetest.Whats()) {
			t.Errorf("%+v", a)
		}
	}
	if len(agents) != len(all.Sources(nil)) {
		t.Errorf("%d agents", len(agents))
	}
}

func TestChildren(t *testing.T) {
	f, home := abroad(t)
	const row = `{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-01-02T10:00:00Z","sessionId":"p","message":{"role":"user","content":"go"}}` + "\n"
	sourcetest.Write(t, home, ".claude/projects/-w/p.jsonl", row+
		`{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"p","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Task","input":{}}]}}`+"\n")
	sourcetest.Write(t, home, ".claude/projects/-w/p/subagents/agent-a.jsonl", row)
	sourcetest.Write(t, home, ".claude/projects/-w/p/subagents/agent-a.meta.json", `{"toolUseId":"t1"}`)
	const at = "/api/sessions/claudecode%3Ap/children"
	children := ok[[]backend.Child](f, http.StatusOK, "GET", at, "")
	if len(children) != 1 || children[0].ID != "claudecode:p.agent-a" || children[0].Call == nil || children[0].Call.ID != "t1" || children[0].Call.Seq == 0 {
		t.Errorf("%+v", children)
	}
	if a := f.ask("GET", at+"?quick=1", ""); !strings.Contains(string(a.body), `"call":null`) {
		t.Errorf("quick: %s", a.body)
	}
	for path, status := range map[string]int{at + "?quick=maybe": 400, "/api/sessions/claudecode%3Ax/children": 404, "/api/sessions/x/children": 400, "/api/sessions/" + nobody + "/children": 404} {
		if a := f.ask("GET", path, ""); a.status != status {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

func TestExports(t *testing.T) {
	f, _ := abroad(t)
	const at = "/api/sessions/pi%3Aa%2Fb%20c/export"
	for query, begins := range map[string]string{"": "# first", "?format=markdown": "# first", "?format=jsonl": `{"recordType":`, "?format=pi": `{"cwd":"/w"`} {
		a := f.ask("GET", at+query, "")
		if a.status != http.StatusOK || !strings.HasPrefix(string(a.body), begins) || !strings.HasPrefix(a.header.Get("Content-Disposition"), "attachment; filename=first.") || a.header.Get("X-Secrets-Left-Out") != "0" {
			t.Errorf("%s: %d %v %.80s", query, a.status, a.header, a.body)
		}
	}
	id := f.session()
	key := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	ok[backend.Session](f, http.StatusOK, "PATCH", "/api/sessions/"+id, `{"name":"größer `+key+`"}`)
	ok[map[string]any](f, http.StatusCreated, "POST", "/api/sessions/"+id+"/records", message(key))
	for query, want := range map[string][2]string{"": {"2", "größer [secret removed].md"}, "?format=pi": {"2", "größer [secret removed].pi.jsonl"}, "?secrets=1": {"", "größer " + key + ".md"}} {
		a := f.ask("GET", "/api/sessions/"+id+"/export"+query, "")
		_, parts, err := mime.ParseMediaType(a.header.Get("Content-Disposition"))
		if got := a.header.Get("X-Secrets-Left-Out"); err != nil || got != want[0] || parts["filename"] != want[1] || (want[0] != "") == strings.Contains(string(a.body), key) {
			t.Errorf("%s: %q, %q, %v: %s", query, got, parts["filename"], err, a.body)
		}
	}
	for path, status := range map[string]int{at + "?format=html": 400, at + "?secrets=maybe": 400, "/api/sessions/pi%3Ax/export": 404, "/api/sessions/" + nobody + "/export": 404} {
		if a := f.ask("GET", path, ""); a.status != status || a.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %v %s", path, a.status, a.header, a.body)
		}
	}
}
