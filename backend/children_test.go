package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"palimpsest/backend/session"
	"palimpsest/backend/sources/sourcetest"
)

// families are sessions that have started another, as each agent leaves them.
var families = map[string]struct {
	parent, child, call string
	files               map[string]string
}{
	"claudecode, by the note beside it": {
		"claudecode:p", "claudecode:p.agent-a1", "toolu_2",
		map[string]string{
			".claude/projects/-w/p.jsonl":                        claudeRows(`{}`),
			".claude/projects/-w/p/subagents/agent-a1.jsonl":     claudeSide("a1"),
			".claude/projects/-w/p/subagents/agent-a1.meta.json": `{"description":"look around","toolUseId":"toolu_2"}`,
		},
	},
	"claudecode, by the result of the call": {
		"claudecode:p", "claudecode:p.agent-a1", "toolu_2",
		map[string]string{
			".claude/projects/-w/p.jsonl":        claudeRows(`{"status":"completed","agentId":"a1"}`),
			".claude/projects/-w/agent-a1.jsonl": claudeSide("a1"),
		},
	},
	"claudecode, in the file of its parent": {
		"claudecode:p", "claudecode:p.side-s1", "toolu_2",
		map[string]string{".claude/projects/-w/p.jsonl": claudeInline},
	},
	"codex, by the output": {
		"codex:" + codexParent, "codex:" + codexChild, "c2",
		codexFamily(codexItem("function_call_output", `"call_id":"c2","output":"{\"agent_id\":\"`+codexChild+`\"}"`)),
	},
	"codex, by the event": {
		"codex:" + codexParent, "codex:" + codexChild, "c2",
		codexFamily(
			`{"timestamp":"2026-01-02T10:00:03Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":"CollabAgentToolCall","id":"c2","tool":"spawn_agent","receiver_thread_ids":["` + codexChild + `"]}}}` + "\n" +
				codexItem("function_call_output", `"call_id":"c2","output":"ok"`)),
	},
	"opencode": {
		"opencode:ses_p", "opencode:ses_c", "call_2",
		map[string]string{
			openPlace + "session/w/ses_p.json":  `{"id":"ses_p","title":"parent","time":{"created":1767348000000,"updated":1767348000000}}`,
			openPlace + "session/w/ses_c.json":  `{"id":"ses_c","parentID":"ses_p","title":"child","time":{"created":1767348001000,"updated":1767348001000}}`,
			openPlace + "message/ses_p/m1.json": `{"id":"m1","sessionID":"ses_p","role":"assistant","modelID":"m","providerID":"p","time":{"created":1767348000000}}`,
			openPlace + "part/m1/p1.json":       `{"id":"p1","messageID":"m1","sessionID":"ses_p","type":"tool","callID":"call_1","tool":"bash","state":{"status":"completed","input":{},"output":"x"}}`,
			openPlace + "part/m1/p2.json":       `{"id":"p2","messageID":"m1","sessionID":"ses_p","type":"tool","callID":"call_2","tool":"task","state":{"status":"running","input":{},"metadata":{"sessionId":"ses_c"}}}`,
		},
	},
	"gemini": {
		"gemini:par", "gemini:sub", "t2",
		map[string]string{
			".gemini/tmp/w/chats/session-2026-01-02T10-00-par.jsonl": `{"sessionId":"par","startTime":"2026-01-02T10:00:00Z","lastUpdated":"2026-01-02T10:00:00Z"}` + "\n" +
				`{"id":"m1","timestamp":"2026-01-02T10:00:01Z","type":"user","content":"go"}` + "\n" +
				`{"id":"m2","timestamp":"2026-01-02T10:00:02Z","type":"gemini","content":"","toolCalls":[{"id":"t1","name":"ls","args":{},"status":"success"},{"id":"t2","name":"investigate","args":{},"status":"success","agentId":"sub"}]}` + "\n",
			".gemini/tmp/w/chats/par/sub.jsonl": `{"sessionId":"sub","startTime":"2026-01-02T10:00:02Z","kind":"subagent"}` + "\n" +
				`{"id":"m1","timestamp":"2026-01-02T10:00:02Z","type":"user","content":"look"}` + "\n",
		},
	},
	"openclaw": {
		"openclaw:par", "openclaw:sub", "c2",
		map[string]string{
			clawPlace + "sessions.json": `{"agent:main:main":{"sessionId":"par"},"agent:main:subagent:u":{"sessionId":"sub","spawnedBy":"agent:main:main"}}`,
			clawPlace + "par.jsonl": `{"type":"session","version":3,"id":"par","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}` + "\n" +
				`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-02T10:00:01Z","message":{"role":"user","content":"go"}}` + "\n" +
				`{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-02T10:00:02Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"c2","name":"sessions_spawn","arguments":{}}]}}` + "\n" +
				`{"type":"message","id":"c","parentId":"b","timestamp":"2026-01-02T10:00:03Z","message":{"role":"toolResult","toolCallId":"c2","content":[{"type":"text","text":"{\"status\":\"accepted\",\"childSessionKey\":\"agent:main:subagent:u\"}"}]}}` + "\n",
			clawPlace + "sub.jsonl": `{"type":"session","version":3,"id":"sub","timestamp":"2026-01-02T10:00:02Z","cwd":"/w"}` + "\n" +
				`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-02T10:00:03Z","message":{"role":"user","content":"look"}}` + "\n",
		},
	},
}

const (
	openPlace   = ".local/share/opencode/storage/"
	clawPlace   = ".openclaw/agents/main/sessions/"
	codexParent = "019a0000-0000-7000-8000-000000000001"
	codexChild  = "019a0000-0000-7000-8000-000000000002"
)

func claudeRows(result string) string {
	const head = `"sessionId":"p","cwd":"/w","version":"2.1.0","isSidechain":false`
	return `{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-01-02T10:00:00Z",` + head + `,"message":{"role":"user","content":"go"}}` + "\n" +
		`{"type":"assistant","uuid":"a1","parentUuid":"u1","timestamp":"2026-01-02T10:00:01Z",` + head + `,"message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}},{"type":"tool_use","id":"toolu_2","name":"Agent","input":{"prompt":"look"}}]}}` + "\n" +
		`{"type":"user","uuid":"u2","parentUuid":"a1","timestamp":"2026-01-02T10:00:02Z",` + head + `,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_2","content":"done"}]},"toolUseResult":` + result + `}` + "\n"
}

// claudeInline is a file that has a subagent in it.
var claudeInline = strings.Replace(claudeRows(`{}`)+claudeSide("a1"), `"name":"Agent"`, `"name":"Task"`, 1)

func claudeSide(id string) string {
	return `{"type":"user","uuid":"s1","parentUuid":null,"timestamp":"2026-01-02T10:00:01Z","sessionId":"p","cwd":"/w","version":"2.1.0","isSidechain":true,"agentId":"` + id + `","message":{"role":"user","content":"look"}}` + "\n"
}

func codexItem(kind, rest string) string {
	return `{"timestamp":"2026-01-02T10:00:02Z","type":"response_item","payload":{"type":"` + kind + `",` + rest + `}}` + "\n"
}

func codexFamily(told string) map[string]string {
	meta := func(rest string) string {
		return `{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"timestamp":"2026-01-02T10:00:00Z","cwd":"/w",` + rest + `}}` + "\n"
	}
	asked := codexItem("message", `"role":"user","content":[{"type":"input_text","text":"go"}]`)
	const place = ".codex/sessions/2026/01/02/rollout-2026-01-02T10-00-0"
	return map[string]string{
		place + "0-" + codexParent + ".jsonl": meta(`"id":"`+codexParent+`"`) + asked + codexItem("function_call", `"name":"spawn_agent","arguments":"{}","call_id":"c2"`) + told,
		place + "1-" + codexChild + ".jsonl":  meta(`"id":"`+codexChild+`","parent_thread_id":"`+codexParent+`"`) + asked,
	}
}

func TestChildrenAndTheCallsThatStartedThem(t *testing.T) {
	for name, family := range families {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			for path, text := range family.files {
				sourcetest.Write(t, home, path, text)
			}
			b := abroad(t, home)
			children, err := b.Children(t.Context(), family.parent, ChildrenOptions{Calls: true, Count: true})
			newsMust(t, err)
			if len(children) != 1 || children[0].ID != family.child || *children[0].Parent != family.parent {
				t.Fatalf("%+v", children)
			}
			if n := children[0].MessageCount; n == nil || children[0].Compactions == nil {
				t.Errorf("not counted: %+v", children[0])
			}
			call := children[0].Call
			if call == nil || call.ID != family.call || !holdsCall(t, b, family.parent, *call) {
				t.Errorf("started by %+v", call)
			}
			quick, err := b.Children(t.Context(), family.parent, ChildrenOptions{})
			newsMust(t, err)
			if len(quick) != 1 || quick[0].Call != nil {
				t.Errorf("quick: %+v", quick)
			}
			if below, err := b.Children(t.Context(), family.child, ChildrenOptions{Calls: true, Count: true}); err != nil || below == nil || len(below) != 0 {
				t.Errorf("below the child: %+v, %v", below, err)
			}
			listed, err := b.List(t.Context(), ListOptions{})
			newsMust(t, err)
			if len(listed) != 1 || listed[0].Children != 1 {
				t.Errorf("listed: %+v", listed)
			}
		})
	}
}

// holdsCall tells whether the record that a call names holds it.
func holdsCall(t *testing.T, b *Backend, id string, call Call) bool {
	t.Helper()
	holds := false
	newsMust(t, b.Show(t.Context(), id, ShowOptions{From: call.Seq, To: call.Seq}, func(line *Shown) error {
		var rec struct {
			Role    string
			Content []struct{ Type, ID string }
		}
		newsMust(t, json.Unmarshal(line.JSON, &rec))
		for _, block := range rec.Content {
			holds = holds || rec.Role == "assistant" && block.Type == "toolCall" && block.ID == call.ID
		}
		return nil
	}))
	return holds
}

// TestChildrenOfChildren: lists show the first of a family only, each has those that it started, and all are kept together. Those that
// damaged files say started each other are on the list.
func TestChildrenOfChildren(t *testing.T) {
	home := t.TempDir()
	const line = `{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"timestamp":"2026-01-02T10:00:00Z","id":"%s","parent_thread_id":"%s"}}` + "\n"
	for id, parent := range map[string]string{"root": "", "child": "root", "grandchild": "child", "one": "two", "two": "one", "self": "self", "below": "one"} {
		text := fmt.Sprintf(line, id, parent) + codexItem("message", `"role":"user","content":[{"type":"input_text","text":"go"}]`)
		sourcetest.Write(t, home, ".codex/sessions/rollout-2026-01-02T10-00-00-"+id+".jsonl", text)
	}
	b := abroad(t, home)
	listed, err := b.List(t.Context(), ListOptions{})
	newsMust(t, err)
	got := map[string]int{}
	for _, s := range listed {
		got[s.ID] = s.Children
	}
	want := map[string]int{"codex:root": 1, "codex:one": 1, "codex:two": 0, "codex:self": 0}
	if !maps.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	for parent, child := range map[string]string{"codex:root": "codex:child", "codex:child": "codex:grandchild", "codex:one": "codex:below"} {
		if below, err := b.Children(t.Context(), parent, ChildrenOptions{}); err != nil || len(below) != 1 || below[0].ID != child {
			t.Errorf("below %s: %+v, %v", parent, below, err)
		}
	}
	for id, children := range want { // by itself, too: what changes is asked for so
		if s, err := b.Get(id); err != nil || s.Children != children {
			t.Errorf("%s by itself: %d children, not %d, %v", id, s.Children, children, err)
		}
	}
	if _, err := b.Keep(t.Context(), []string{"codex:root"}); err != nil {
		t.Error(err)
	}
	kept, err := b.KeptCopies(t.Context())
	if len(kept) != 3 || err != nil {
		t.Errorf("%+v, %v", kept, err)
	}
}

func TestChildrenWhoseCallNobodyTells(t *testing.T) {
	home := t.TempDir()
	for path, text := range families["codex, by the output"].files {
		sourcetest.Write(t, home, path, strings.ReplaceAll(text, "agent_id", "other"))
	}
	b := abroad(t, home)
	children, err := b.Children(t.Context(), "codex:"+codexParent, ChildrenOptions{Calls: true, Count: true})
	newsMust(t, err)
	if len(children) != 1 || children[0].Call != nil {
		t.Errorf("%+v", children)
	}
	if _, err := b.Children(t.Context(), "codex:nobody", ChildrenOptions{Calls: true, Count: true}); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("of nobody: %v", err)
	}
	own, err := b.New(NewSession{})
	newsMust(t, err)
	if children, err := b.Children(t.Context(), own.ID, ChildrenOptions{Calls: true, Count: true}); err != nil || children == nil || len(children) != 0 {
		t.Errorf("of one of ours: %+v, %v", children, err)
	}
	newsMust(t, b.Trash(t.Context(), own.ID))
	if _, err := b.Children(t.Context(), own.ID, ChildrenOptions{Calls: true, Count: true}); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("of one in the trash: %v", err)
	}
}

func TestTheModelSeesNoMark(t *testing.T) {
	for block, want := range map[string]string{
		`{"type":"text","text":"a"}`: `{"type":"text","text":"a"}`,
		`{"type":"toolCall","id":"c","arguments":{"startedSession":"kept"},"startedSession":"x"}`: `{"type":"toolCall","id":"c","arguments":{"startedSession":"kept"}}`,
		`{"startedSession":"x","type":"toolCall"}`:                                                `{"type":"toolCall"}`,
	} {
		if got := string(withoutMark([]byte(block))); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
