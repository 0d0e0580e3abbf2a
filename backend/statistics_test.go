package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// lineages are sessions of which one holds what the other does, as each agent leaves them: two messages, and one more behind the copies.
// The second path is that of the copy.
var lineages = map[string]struct {
	first, second string
	files         map[string]string
}{
	"pi, a fork": {
		".pi/agent/sessions/w/one.jsonl", ".pi/agent/sessions/w/two.jsonl", map[string]string{
			".pi/agent/sessions/w/one.jsonl": piNamed("one", "10:00:00", "") + piSays("a", "10:00:01", "ask") + piSays("b", "10:00:02", "again"),
			".pi/agent/sessions/w/two.jsonl": piNamed("two", "11:00:00", `,"parentSession":"one.jsonl"`) +
				piSays("a", "10:00:01", "ask") + piSays("b", "10:00:02", "again") + piSays("c", "11:00:01", "else"),
		},
	},
	"claudecode, a fork that says so of answers only": {
		".claude/projects/-w/p.jsonl", ".claude/projects/-w/q.jsonl", map[string]string{
			".claude/projects/-w/p.jsonl": claudeSays("p", "u1", "10:00:00", "") + claudeAnswers("p", "a1", "10:00:01", ""),
			".claude/projects/-w/q.jsonl": claudeSays("q", "u1", "10:00:00", "") + claudeAnswers("q", "a1", "10:00:01", `"requestSessionId":"p",`) +
				claudeSays("q", "u2", "11:00:00", ""),
		},
	},
	"opencode, a fork that does not say of what": {
		openPlace + "session/w/ses_p.json", openPlace + "session/w/ses_q.json", map[string]string{
			openPlace + "session/w/ses_p.json": `{"id":"ses_p","title":"a","time":{"created":1767348000000,"updated":1767348002000}}`,
			openPlace + "session/w/ses_q.json": `{"id":"ses_q","title":"a (fork #1)","time":{"created":1767349000000,"updated":1767349002000}}`,

			openPlace + "message/ses_p/m1.json": openSays("ses_p", "m1", 1767348001000), openPlace + "part/m1/p1.json": openPart("ses_p", "m1", "ask"),
			openPlace + "message/ses_p/m2.json": openSays("ses_p", "m2", 1767348002000), openPlace + "part/m2/p2.json": openPart("ses_p", "m2", "again"),
			openPlace + "message/ses_q/m3.json": openSays("ses_q", "m3", 1767348001000), openPlace + "part/m3/p3.json": openPart("ses_q", "m3", "ask"),
			openPlace + "message/ses_q/m4.json": openSays("ses_q", "m4", 1767348002000), openPlace + "part/m4/p4.json": openPart("ses_q", "m4", "again"),
			openPlace + "message/ses_q/m5.json": openSays("ses_q", "m5", 1767349001000), openPlace + "part/m5/p5.json": openPart("ses_q", "m5", "else"),
		},
	},
	"codex, a fork that begins with its parent's lines": {
		codexPlace + codexParent + ".jsonl", codexPlace + codexChild + ".jsonl", map[string]string{
			codexPlace + codexParent + ".jsonl": codexHead(codexParent, "10:00:00", "") + codexSays("10:00:01", "ask") + codexSays("10:00:02", "again"),
			codexPlace + codexChild + ".jsonl": codexHead(codexChild, "11:00:00", `,"forked_from_id":"`+codexParent+`"`) + codexHead(codexParent, "11:00:00", "") +
				codexSays("11:00:00", "ask") + codexSays("11:00:00", "again") + codexSays("11:30:00", "else"),
		},
	},
}

const codexPlace = ".codex/sessions/2026/01/02/rollout-2026-01-02T10-00-00-"

func piNamed(id, at, more string) string {
	return fmt.Sprintf(`{"type":"session","version":3,"id":"%s","timestamp":"2026-01-02T%sZ","cwd":"/w"%s}`+"\n", id, at, more)
}

func piSays(id, at, text string) string {
	return fmt.Sprintf(`{"type":"message","id":"%s","parentId":null,"timestamp":"2026-01-02T%sZ","message":{"role":"user","content":"%s"}}`+"\n", id, at, text)
}

func claudeSays(session, id, at, more string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"%s","parentUuid":null,"timestamp":"2026-01-02T%sZ",%s"sessionId":"%s","cwd":"/w","message":{"role":"user","content":"go %s"}}`+"\n", id, at, more, session, id)
}

func claudeAnswers(session, id, at, more string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"%s","parentUuid":"u1","timestamp":"2026-01-02T%sZ",%s"sessionId":"%s","cwd":"/w","message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"text","text":"yes"}],"usage":{"input_tokens":7,"output_tokens":3}}}`+"\n", id, at, more, session)
}

func openSays(session, id string, at int64) string {
	return fmt.Sprintf(`{"id":"%s","sessionID":"%s","role":"user","time":{"created":%d}}`, id, session, at)
}

func openPart(session, message, text string) string {
	return fmt.Sprintf(`{"id":"p-%s","messageID":"%s","sessionID":"%s","type":"text","text":"%s"}`, message, message, session, text)
}

func codexHead(id, at, more string) string {
	return fmt.Sprintf(`{"timestamp":"2026-01-02T%sZ","type":"session_meta","payload":{"id":"%s","timestamp":"2026-01-02T%sZ","cwd":"/w"%s}}`+"\n", at, id, at, more)
}

func codexSays(at, text string) string {
	return fmt.Sprintf(`{"timestamp":"2026-01-02T%sZ","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"%s"}]}}`+"\n", at, text)
}

// TestNothingIsCountedTwice: what two sessions hold is counted once, whichever of them is there, and so is what was imported.
func TestNothingIsCountedTwice(t *testing.T) {
	for name, family := range lineages {
		t.Run(name, func(t *testing.T) {
			for missing, want := range map[string]int{"": 3, family.first: 3, family.second: 2} {
				home := t.TempDir()
				for path, text := range family.files {
					sourcetest.Write(t, home, path, text)
				}
				if missing != "" {
					newsMust(t, os.Remove(filepath.Join(home, filepath.FromSlash(missing))))
				}
				b := abroad(t, home)
				before := compareCount(t, b, "without "+missing, want)
				if missing == "" {
					imported := ""
					listed, err := b.List(t.Context(), ListOptions{})
					newsMust(t, err)
					for _, s := range listed {
						made, err := b.Import(t.Context(), s.ID)
						newsMust(t, err)
						imported = made.ID
					}
					after := compareCount(t, b, "with imports", want)
					if after.Totals.Sessions != before.Totals.Sessions || after.Unknown != before.Unknown || len(after.Agents) != 1 || len(after.Projects) != 1 {
						t.Errorf("imports count as sessions: %+v, before %+v", after, before)
					}
					_, err = b.Append(t.Context(), imported, strings.NewReader(`{"recordType":"message","role":"user","content":[{"type":"text","text":"on"}]}`))
					newsMust(t, err)
					after = compareCount(t, b, "with one continued", want+1)
					own := slices.IndexFunc(after.Agents, func(a AgentTotal) bool { return a.Agent == ownAgent })
					if after.Totals.Sessions != before.Totals.Sessions+1 || own < 0 || after.Agents[own].Sessions != 1 || after.Agents[own].Messages != 1 {
						t.Errorf("%+v", after)
					}
				}
			}
		})
	}
}

func compareCount(t *testing.T, b *Backend, which string, want int) Statistics {
	t.Helper()
	scanned(t, b)
	s, err := b.Statistics(t.Context(), StatisticsOptions{AgentDays: true})
	newsMust(t, err)
	days, agents := 0, 0
	for _, day := range s.Days {
		days += day.Messages
	}
	for _, agent := range s.Agents {
		for _, day := range agent.Days {
			agents += day.Messages
		}
	}
	if s.Totals.Messages != want || days != want || agents != want {
		t.Errorf("%s: %d messages, %d by day, %d by agent and day, not %d", which, s.Totals.Messages, days, agents, want)
	}
	if in := s.Totals.Input; in != nil && *in != 7 {
		t.Errorf("%s: %d tokens", which, *in)
	}
	return s
}

// TestHeirs: what several copies have of what is not there any more counts in one of them.
func TestHeirs(t *testing.T) {
	home := t.TempDir()
	files := lineages["pi, a fork"].files
	sourcetest.Write(t, home, ".pi/agent/sessions/w/two.jsonl", files[".pi/agent/sessions/w/two.jsonl"])
	short := strings.ReplaceAll(files[".pi/agent/sessions/w/two.jsonl"], `"id":"two"`, `"id":"three"`)
	rows := slices.Delete(strings.SplitAfter(short, "\n"), 2, 3)
	sourcetest.Write(t, home, ".pi/agent/sessions/w/three.jsonl", strings.Join(rows, ""))
	b := abroad(t, home)
	compareCount(t, b, "two forks", 4)
	all, err := b.digests(t.Context())
	newsMust(t, err)
	counted := 0
	inherited, _ := heirsOf(all)
	for _, days := range inherited {
		counted += len(days)
	}
	if counted != 2 {
		t.Errorf("%d of what both have", counted)
	}
}

// TestFolder: a session may be from another system than this one.
func TestFolder(t *testing.T) {
	for cwd, want := range map[string]string{
		"": "", "/": "/", "/work/api/": "/work/api", "/work//api/.": "/work/api", `C:\work\api\`: `C:\work\api`, `C:\`: `C:\`, "C:/work/": "C:/work",
		`\\server\share\`: `\\server\share`, `\`: `\`, "work": "work",
	} {
		if got := folder(cwd); got != want {
			t.Errorf("%q: %q, want %q", cwd, got, want)
		}
	}
}
