//go:build unix

package all

import (
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestBesideDenied: a part of a session that stands where this user may not look is told of to who keeps a copy; one that is gone is not.
func TestBesideDenied(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("this user may look into any folder")
	}
	const (
		claude   = ".claude/projects/-x/"
		parent   = "01a1fbb9-0000-7000-8000-000000000001"
		fork     = "01a1fbb9-0000-7000-8000-000000000002"
		lends    = ".codex/sessions/2026/01/01"
		lent     = lends + "/rollout-2026-01-01T01-00-00-" + parent + ".jsonl"
		goesOn   = ".codex/sessions/2026/01/02/rollout-2026-01-02T01-00-00-" + fork + ".jsonl"
		opencode = ".local/share/opencode/storage/"
		gemini   = ".gemini/tmp/x/"
		picoclaw = ".picoclaw/workspace/sessions/"
	)
	item := `{"ordinal":1,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]}}` + "\n"
	files := map[string]string{
		claude + "s.jsonl":                   `{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"one"}}` + "\n",
		claude + "s/subagents/agent-1.jsonl": "",
		lent:                                 `{"ordinal":0,"type":"session_meta","payload":{"id":"` + parent + `"}}` + "\n" + item,
		goesOn: `{"ordinal":2,"type":"session_meta","payload":{"id":"` + fork +
			`","history_base":{"thread_id":"` + parent + `","end_ordinal_exclusive":2}}}` + "\n" + item,
		opencode + "session/p/ses_1.json":             `{"id":"ses_1","title":"t","time":{"created":1,"updated":1}}`,
		opencode + "message/ses_1/msg_1.json":         `{"id":"msg_1","role":"user","time":{"created":1}}`,
		opencode + "part/msg_1/prt_1.json":            `{"id":"prt_1","type":"text","text":"one"}`,
		gemini + "chats/session-1-s1.jsonl":           `{"sessionId":"s1","kind":"main"}` + "\n" + `{"id":"u1","type":"user","content":"one"}` + "\n",
		gemini + "tool-outputs/session-s1/x.txt":      "output",
		gemini + "tool-outputs/session-another/x.txt": "output",
		".crabtalk/sessions/a_b_1/meta":               `{"agent":"a","created_by":"b"}`,
		".crabtalk/sessions/a_b_1/step-000001":        `{"role":"user","content":"one"}`,
		picoclaw + "s.jsonl":                          `{"role":"user","content":"one"}` + "\n",
		picoclaw + "seahorse.db":                      "no database",
	}
	home := sourcetest.Home(t, files)
	all := map[string]sources.Source{}
	for _, source := range Sources(nil) {
		all[source.Agent()] = source
	}
	for _, c := range []struct {
		agent, session, place string
		tells                 bool
	}{
		{"claudecode", "s", claude + "s", true},
		{"claudecode", "s", claude + "s/subagents", true},
		{"codex", fork, lent, true},
		{"codex", fork, lends, true},
		{"opencode", "ses_1", opencode + "message/ses_1", true},
		{"opencode", "ses_1", opencode + "message", true},
		{"opencode", "ses_1", opencode + "part/msg_1", true},
		{"opencode", "ses_1", opencode + "part", true},
		{"gemini", "s1", gemini + "tool-outputs", true},
		{"gemini", "s1", gemini + "tool-outputs/session-s1", true},
		{"gemini", "s1", gemini + "tool-outputs/session-another", false},
		{"crabtalk", "a_b_1", ".crabtalk/sessions/a_b_1", true},
		{"picoclaw", "s", picoclaw + "seahorse.db", true},
	} {
		t.Run(c.agent+" "+c.place, func(t *testing.T) {
			env := sourcetest.Env(t, home)
			found, is := sourcetest.ByID(sourcetest.Find(t, all[c.agent], env))[c.session]
			if !is {
				t.Fatal("it is not found")
			}
			beside, is := all[c.agent].(sources.Beside)
			if !is {
				t.Fatal("it tells of nothing beside its files")
			}
			told := func() (told []error) {
				env.Denied = func(err error) { told = append(told, err) }
				beside.Beside(t.Context(), env, found)
				return told
			}
			if err := told(); len(err) > 0 {
				t.Error("before", err)
			}
			place := filepath.Join(home, filepath.FromSlash(c.place))
			info, err := os.Stat(place)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(place, 0); err != nil {
				t.Fatal(err)
			}
			if err := told(); len(err) > 0 != c.tells {
				t.Error("unreadable", err)
			}
			if err := os.Chmod(place, info.Mode()); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(place, place+".away"); err != nil {
				t.Fatal(err)
			}
			if err := told(); len(err) > 0 {
				t.Error("gone", err)
			}
			if err := os.Rename(place+".away", place); err != nil {
				t.Fatal(err)
			}
		})
	}
}
