package compaction

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// saidBy are messages as a context has them, one for each text, with seqs from 1 on.
func saidBy(role record.Role, texts ...string) []overlay.Message {
	out := make([]overlay.Message, len(texts))
	for i, text := range texts {
		out[i] = overlay.Message{From: int64(i + 1), Body: &overlay.Body{Role: role, Content: []record.Block{{Kind: record.BlockText, Text: text}}}}
	}
	return out
}

func foundIn(messages []overlay.Message) []string {
	f := newFinder()
	f.messages((&Plan{}).backward(messages))
	out := []string{}
	for _, fact := range f.facts {
		out = append(out, string(fact.Kind)+" "+fact.Text)
	}
	slices.Sort(out)
	return out
}

func TestFactsInProse(t *testing.T) {
	eighty := strings.Repeat("é", 80)
	for text, want := range map[string][]string{
		"Look at src/app/main.go:12:3, then at `deploy/canary.yaml`.":                    {"file deploy/canary.yaml", "file src/app/main.go"},
		"It is in /srv/harbour/lights, or C:\\work\\lights.txt, or ~/.config/x.yml":      {"file /srv/harbour/lights", "file C:\\work\\lights.txt", "file ~/.config/x.yml"},
		"Read and/or write 1.5 times, e.g. on I/O; see v1.2.3, n/a, 24/7, /healthz":      {},
		"See https://example.org/a?b=c#d, (http://127.0.0.1:8080/).":                     {"url http://127.0.0.1:8080", "url https://example.org/a?b=c#d"},
		"`ErrStale`, `run()` and initialDelaySeconds; MAX_ROWS, not JavaScript":          {"identifier ErrStale", "identifier MAX_ROWS", "identifier initialDelaySeconds", "identifier run"},
		"it ended with ENOENT and TypeError, not EXAMPLE":                                {"error ENOENT", "error TypeError"},
		"fixed in 9f8c3f1 and 0aabf5d0aabf5d0aabf5d0aabf5d0aabf5d0aabf, 1234567":         {"commit 0aabf5d0aabf5d0aabf5d0aabf5d0aabf5d0aabf", "commit 9f8c3f1"},
		"after 40 s, 1,500 tokens, 12.5%, $30 and 3 MiB in 7 places":                     {"number $30", "number 1,500 tokens", "number 12.5%", "number 3 MiB", "number 40 s"},
		"`/srv/My Lamps/plan.md`, \"C:\\Old Lamps\\x.json\", '~/a b/c.py' or `no file.`": {"file /srv/My Lamps/plan.md", `file C:\Old Lamps\x.json`, "file ~/a b/c.py"},
		"Node.js, process.env and console.log; `true`, `the`, `null`, `string`":          {},
		"Makefile, sub/Dockerfile, .gitignore and a/.env, not a file":                    {"file .gitignore", "file Makefile", "file a/.env", "file sub/Dockerfile"},
		"@src/a.go and src/a.go, as in @lamps/core/b.ts":                                 {"file lamps/core/b.ts", "file src/a.go"},
		"请看src/a.go文件，然后`maxRows`和max_rows都要改；文档/计划.md":                                  {"file src/a.go", "file 文档/计划.md", "identifier maxRows", "identifier max_rows"},
		"https://example.org/a_(b), (https://example.org/c)":                             {"url https://example.org/a_(b)", "url https://example.org/c"},
		"s3://lamps/x, postgres://db:5432/lamps; std::vector, foo://bar":                 {"url postgres://db:5432/lamps", "url s3://lamps/x"},
		"1,000 ms is 1000ms, or 1 s; a 40-second wait; 10k tokens":                       {"number 1,000 ms", "number 10k tokens", "number 40-second"},
		"`éa`, `éàü`, `" + eighty + "`, `e" + eighty + "`":                               {"identifier éàü", "identifier " + eighty},
	} {
		if diff := cmp.Diff(want, foundIn(saidBy(record.RoleAssistant, text))); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
	}
}

// TestFactsWithoutPasswords: of what stands in an address before its host a fact has the user alone, and a summary keeps it with the
// password and without.
func TestFactsWithoutPasswords(t *testing.T) {
	said := saidBy(record.RoleUser, "You must use https://me:hunter2@example.org/a and postgres://app:p@ss1@db:5432/x.")
	said = append(said, ran(t, "bash", "command", "psql postgres://app:p@ss1@db:5432/x -c 'DROP TABLE y'")...)
	want := []string{
		"command psql postgres://app@db:5432/x -c 'DROP TABLE y'", "rule You must use https://me@example.org/a and postgres://app@db:5432/x.",
		"url https://me@example.org/a", "url postgres://app@db:5432/x",
	}
	if diff := cmp.Diff(want, foundIn(said)); diff != "" {
		t.Error(diff)
	}
	for _, summary := range []string{"postgres://app@db:5432/x, https://me@example.org/a", "postgres://app:p@ss1@db:5432/x, https://me:hunter2@example.org/a"} {
		f := (&Plan{Summarize: said}).Fidelity(summary)
		for _, lost := range f.Lost {
			if lost.Kind == FactURL {
				t.Errorf("%q: %+v is lost", summary, lost)
			}
		}
	}
}

func TestFactsByRole(t *testing.T) {
	failedWith := func(text string) []overlay.Message {
		failed := saidBy(record.RoleToolResult, text)
		failed[0].IsError = true
		return failed
	}
	failed := failedWith("compiling\nmain.go:3: undefined: x\nFAIL")
	cleared := failedWith("[Old tool result content cleared]")
	cleared[0].Overlay = overlay.OverlayPrune
	note := saidBy(record.RoleUser, "Never touch a/b.go")
	note[0].Overlay = overlay.OverlayNote
	missing := saidBy(record.RoleToolResult, "[no result: the call was cut off]")
	missing[0].Overlay, missing[0].IsError = overlay.OverlayRepair, true
	call := overlay.Message{Body: &overlay.Body{Role: record.RoleAssistant, Content: []record.Block{
		{Kind: record.BlockToolCall, ID: "a", Name: "read", Arguments: `{"path":"docs/plan.md"}`},
		{Kind: record.BlockThinking, Text: "never say `hiddenName`"},
	}}}
	for name, c := range map[string]struct {
		messages []overlay.Message
		want     []string
	}{
		"no rule at all": {saidBy(record.RoleUser, "I don't know why. It must have been the cache! Why does it always fail? Don’t worry, it always does that.", "You never asked me."), []string{}},
		"still a rule": {
			saidBy(record.RoleUser, "I don't know it, but never do that. Could you always ask? You mustn't go."),
			[]string{"rule I don't know it, but never do that.", "rule Could you always ask?", "rule You mustn't go."},
		},
		"rules of the user":      {saidBy(record.RoleUser, "Fix it. Never touch the vendor folder! Thanks."), []string{"rule Never touch the vendor folder!"}},
		"not of the agent":       {saidBy(record.RoleAssistant, "I never do that."), []string{}},
		"nor of a program":       {note, []string{}},
		"what says nothing":      {failedWith("FAIL\nexit status 1"), []string{}},
		"a stack of calls":       {failedWith("Traceback (most recent call last):\n  File \"a.py\", line 3\nKeyError: 'lamp'"), []string{"error KeyError: 'lamp'"}},
		"an exception":           {saidBy(record.RoleToolResult, "x\njava.io.IOException: no lamp\nat x"), []string{"error java.io.IOException: no lamp"}},
		"one of npm":             {saidBy(record.RoleToolResult, "npm ERR! missing script: lamp"), []string{"error npm ERR! missing script: lamp"}},
		"with a label":           {failedWith("Output: ls: cannot access 'lamp'"), []string{"error ls: cannot access 'lamp'"}},
		"in its language":        {failedWith("灯塔不存在"), []string{"error 灯塔不存在"}},
		"cleared":                {cleared, []string{}},
		"a result of nobody":     {missing, []string{}},
		"a result that failed":   {failed, []string{"error main.go:3: undefined: x"}},
		"a result that did not":  {saidBy(record.RoleToolResult, "see a/b/c.go\nno error: all is well"), []string{}},
		"what a command told of": {saidBy(record.RoleToolResult, "x\nError: no such image"), []string{"error Error: no such image"}},
		"the file of a call":     {[]overlay.Message{call}, []string{"file docs/plan.md"}},
	} {
		slices.Sort(c.want)
		if diff := cmp.Diff(c.want, foundIn(c.messages)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
