package backend

import (
	"fmt"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestATagIsNoFirstMessage: what stands first in another agent's session names it, unless an agent has put it there.
func TestATagIsNoFirstMessage(t *testing.T) {
	const place = ".gemini/tmp/p/chats/session-2026-01-02T10-00-s1.json"
	for first, want := range map[string]string{
		`<state_snapshot>\n<overall_goal>g</overall_goal></state_snapshot>`: "",
		`<image name=[Image #1] path=\"/x.png\">`:                           "",
		`# Mend the roof`: "# Mend the roof",
		`<3 roofs`:        "<3 roofs",
	} {
		home := t.TempDir()
		sourcetest.Write(t, home, place, fmt.Sprintf(`{"sessionId":"s1","startTime":"2026-01-02T10:00:00.000Z","messages":[`+
			`{"id":"a","type":"user","timestamp":"2026-01-02T10:00:01.000Z","content":"%s"},`+
			`{"id":"b","type":"gemini","timestamp":"2026-01-02T10:00:02.000Z","content":"yes","model":"m"}]}`, first))
		b := abroad(t, home)
		_, err := b.Page("gemini:s1", PageOptions{})
		newsMust(t, err)
		row, err := b.Get("gemini:s1")
		newsMust(t, err)
		if deref(row.FirstMessage) != want || row.MessageCount == nil || *row.MessageCount != 2 {
			t.Errorf("%s: %q, %v messages", first, deref(row.FirstMessage), row.MessageCount)
		}
	}
}

// headings are sessions of several agents whose first prompt is %s, by their ids.
var headings = map[string][2]string{
	"codex:01a1fbb2-517a-7cd2-9976-548effd87cf7": {
		".codex/sessions/2026/01/02/rollout-2026-01-02T10-00-00-01a1fbb2-517a-7cd2-9976-548effd87cf7.jsonl",
		`{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"id":"01a1fbb2-517a-7cd2-9976-548effd87cf7","cwd":"/w"}}` + "\n" +
			`{"timestamp":"2026-01-02T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"%s"}]}}` + "\n",
	},
	"claudecode:11111111-2222-4333-8444-000000000001": {
		".claude/projects/-w/11111111-2222-4333-8444-000000000001.jsonl",
		`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"11111111-2222-4333-8444-000000000001","timestamp":"2026-01-02T10:00:00Z","cwd":"/w","version":"2.1.329","message":{"role":"user","content":"%s"}}` + "\n",
	},
	"pi:s1": {piPlace, piHead + `{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-02T10:00:01Z","message":{"role":"user","content":"%s"}}` + "\n"},
	"openclaw:o1": {".openclaw/agents/main/sessions/o1.jsonl", `{"type":"session","version":3,"id":"o1","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}` + "\n" +
		`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-02T10:00:01Z","message":{"role":"user","content":"%s"}}` + "\n"},
	"crabtalk:crab_user_1": {".crabtalk/sessions/crab_user_1.jsonl", `{"agent":"crab","created_by":"user","created_at":"2026-01-02T10:00:00Z","title":"","uptime_secs":0}` + "\n" +
		`{"role":"user","content":"%s"}` + "\n"},
	"picoclaw:cli_demo": {".picoclaw/workspace/sessions/cli_demo.jsonl", `{"role":"user","content":"%s","created_at":"2026-01-02T10:00:00Z"}` + "\n"},
	"gemini:s1": {
		".gemini/tmp/p/chats/session-2026-01-02T10-00-s1.jsonl",
		`{"sessionId":"s1","startTime":"2026-01-02T10:00:00Z","lastUpdated":"2026-01-02T10:00:00Z","kind":"main"}` + "\n" +
			`{"id":"m","timestamp":"2026-01-02T10:00:01Z","type":"user","content":"%s"}` + "\n",
	},
}

// TestAHeadingIsAFirstMessage: before a session was read, then, and once the index has it, a list says the same.
func TestAHeadingIsAFirstMessage(t *testing.T) {
	for first, want := range map[string]string{
		`# Fix the build\nplease`: "# Fix the build please", "#123 is broken": "#123 is broken", "# AGENTS.md is wrong": "# AGENTS.md is wrong",
		"[Request interrupted by user]": "", "This session is being continued from a previous conversation that": "",
	} {
		home := t.TempDir()
		for _, file := range headings {
			sourcetest.Write(t, home, file[0], fmt.Sprintf(file[1], first))
		}
		b := abroad(t, home)
		called := func(when string, quick bool) {
			t.Helper()
			rows, err := b.List(t.Context(), ListOptions{Quick: quick})
			newsMust(t, err)
			for i := range rows {
				if got := deref(rows[i].FirstMessage); got != want {
					t.Errorf("%s: %s begins with %q, not with %q", when, rows[i].ID, got, want)
				}
			}
			if len(rows) != len(headings) {
				t.Errorf("%s: %d sessions", when, len(rows))
			}
		}
		called("unread", true)
		called("read", false)
		scanned(t, b)
		called("in the index", false)
	}
}
