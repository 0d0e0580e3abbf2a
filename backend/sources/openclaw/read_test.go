package openclaw

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/sources/sqlite"
)

// TestWhatTheModelSees: where a conversation goes on, by OpenClaw's rules.
func TestWhatTheModelSees(t *testing.T) {
	const instead = "assistant: [This turn failed before it completed. Do not redo its work without confirming with the us…\n"
	tests := []struct {
		name, text, want string
	}{
		{"all of it", text("1 - "+user("one"), "2 1 "+said("two"), "3 2 "+user("three")), "user: one\nassistant: two\nuser: three\n"},
		{"kept from an entry", text("1 - "+user("one"), `2 1 "type":"custom","customType":"x"`, "3 2 "+user("three"), "4 3 "+compacted("S", "2"), "5 4 "+user("five")), "user: «S»\nuser: three\nuser: five\n"},
		{"kept from the first entry", text("1 - "+user("one"), "2 1 "+compacted("S", "1")), "user: «S»\nuser: one\n"},
		{"kept from nothing known", text("1 - "+user("one"), "2 1 "+compacted("S", "x")), "user: «S»\n"},
		{"kept from what is on no path", text("1 - "+user("one"), "2 1 "+user("two"), "3 1 "+compacted("S", "2")), "user: «S»\n"},
		{"a branch", text("1 - "+user("one"), "2 1 "+user("two"), "3 1 "+user("three")), "user: one\nuser: three\n"},
		{"a branch with a summary", text("1 - "+user("one"), "2 1 "+user("two"), `3 1 "type":"branch_summary","fromId":"2","summary":"B"`, "4 3 "+user("four")), "user: one\nuser: «B</summary>»\nuser: four\n"},
		{"a leaf at the end", text("1 - "+user("one"), "2 1 "+user("two"), "3 2 "+leaf("1")), "user: one\n"},
		{"a leaf, and what follows it", text("1 - "+user("one"), "2 1 "+user("two"), "3 2 "+leaf("1"), "4 3 "+user("four")), "user: one\nuser: four\n"},
		{"a leaf before everything", text("1 - "+user("one"), "2 1 "+leaf("-"), "3 2 "+user("three")), "user: three\n"},
		{"a leaf to nothing", text("1 - "+user("one"), "2 1 "+leaf("x"), "3 2 "+user("three")), "user: one\nuser: three\n"},
		{"an entry set aside", text("1 - "+user("one"), `2 1 "appendMode":"side",`+user("side"), "3 1 "+user("three")), "user: one\nuser: three\n"},
		{"an entry set aside at the end", text("1 - "+user("one"), `2 1 "appendMode":"side",`+user("side")), "user: one\n"},
		{"entries of a type nobody knows", text("1 - "+user("one"), `2 1 "type":"mystery"`, "3 2 "+user("three")), "user: one\nuser: three\n"},
		{"an entry without a parent's id", text("1 - "+user("one"), "2 ? "+user("two")), "user: one\nuser: two\n"},
		{"a parent that is not there", text("1 - "+user("one"), "2 x "+user("two")), "user: one\nuser: two\n"},
		{"a reset", text("1 - "+user("one"), "2 1 "+reset(""), "3 2 "+user("three")), "user: three\n"},
		{"a reset that keeps", text("1 - "+user("one"), "2 1 "+user("two"), "3 2 "+said("three"), "4 3 "+reset("2"), "5 4 "+user("five")), "user: two\nassistant: three\nuser: five\n"},
		{
			"a reset that keeps messages and the results of calls, and nothing else",
			text("1 - "+user("one"), "2 1 "+said("two"), `3 1 "type":"branch_summary","fromId":"2","summary":"B"`, `4 3 "type":"custom_message","customType":"x","content":"put"`,
				"5 4 "+result("c0"), "6 5 "+calls("c1"), "7 6 "+result("c1"), "8 7 "+result("c1"), `9 8 "type":"message","message":{"role":"bashExecution","command":"ls"}`,
				"10 9 "+shown("user", "ten"), "11 10 "+reset("1"), "12 11 "+user("five")),
			"user: one\nassistant: c1 exec#c1{}\ntoolResult: c1\nuser: ten\nuser: five\n",
		},
		{
			"a reset that keeps a result without its call, whose id comes again",
			text("1 - "+user("one"), "2 1 "+calls("c0"), "3 2 "+result("c0"), "4 3 "+calls("c0"), "5 4 "+result("c0"), "6 5 "+reset("3"), "7 6 "+user("five")),
			"assistant: c0 exec#c0{}\ntoolResult: c0\nuser: five\n",
		},
		{"what is only shown", text("1 - "+user("one"), "2 1 "+shown("user", "two"), "3 2 "+shown("assistant", "three"), "4 3 "+shown("custom", "four"), "5 4 "+said("five")), "user: one\nassistant: five\n"},
		{"what was sent to a person", text("1 - "+user("one"), "2 1 "+said("two"), "3 2 "+mirror("delivery-mirror"), "4 3 "+mirror("gateway-injected")), "user: one\nassistant: two\n"},
		{"a leaf after which the next entry follows nothing", text("1 - "+user("one"), "2 1 "+leaf("1")+`,"appendParentId":null`, "3 - "+user("three")), "user: one\nuser: three\n"},
		{"a leaf after which nothing can follow", text("1 - "+user("one"), "2 1 "+user("two"), "3 2 "+leaf("1")+`,"appendParentId":"x"`), "user: one\nuser: two\n"},
		{"an entry of a type nobody knows that follows nothing", text("1 - "+user("one"), "2 1 "+leaf("-")+`,"appendParentId":"1"`, `3 ? "type":"mystery"`, "4 1 "+user("four")), "user: four\n"},
		{
			"an answer that was stopped, and one in what a reset keeps",
			text("1 - "+user("one"), "2 1 "+stopped("two"), "3 2 "+user("three"), "4 3 "+stopped("four"), "5 4 "+reset("3"), "6 5 "+user("six"), "7 6 "+stopped("seven")),
			"user: three\n" + instead + "user: six\n" + instead,
		},
		{
			"answers that failed or were stopped: with words, without, with calls, and to be silent",
			text("1 - "+user("one"), "2 1 "+ended("error", `{"type":"text","text":"two"}`), "3 2 "+ended("aborted", `{"type":"text","text":"three"}`),
				"4 3 "+ended("error", ""), "5 4 "+ended("error", `{"type":"text","text":"`+nothingCame+`"}`), "6 5 "+ended("aborted", `{"type":"thinking","thinking":"six"}`),
				"7 6 "+ended("error", `{"type":"text","text":"seven"},{"type":"toolCall","id":"c","name":"exec","arguments":{}}`), "8 7 "+result("c"),
				"9 8 "+ended("error", `{"type":"text","text":"NO_REPLY"}`), "10 9 "+user("ten")),
			"user: one\n" + instead + instead + "user: ten\n",
		},
		{
			"answers that say nothing",
			text("1 - "+user("one"), "2 1 "+said("NO_REPLY"), "3 2 "+said(" no_reply NO_REPLY\\n"), "4 3 "+said("**NO_REPLY**"), `5 4 "type":"message","message":{"role":"assistant","content":"{\"action\":\"NO_REPLY\"}"}`,
				"6 5 "+ended("stop", `{"type":"thinking","thinking":"hm"},{"type":"text","text":"\"NO_REPLY\""}`), "7 6 "+said("<think>why</think> NO_REPLY"), "8 7 "+said("NO_REPLY is what I say"),
				"9 8 "+ended("toolUse", `{"type":"text","text":"NO_REPLY"},{"type":"toolCall","id":"c","name":"exec","arguments":{}}`), "10 9 "+result("c"), "11 10 "+user("NO_REPLY")),
			"user: one\nassistant: NO_REPLY is what I say\nassistant: exec#c{}\ntoolResult: c\nuser: NO_REPLY\n",
		},
		{
			"what was sent to a person, and has lost who says so", text("1 - "+user("one"), `2 1 "type":"message","message":{"role":"assistant","content":[{"type":"text","text":"two"}],"openclawDeliveryMirror":{"kind":"channel-final"}}`),
			"user: one\n",
		},
		{"a reset at the end", text("1 - "+user("one"), "2 1 "+reset("")), ""},
		{"nothing goes back behind a reset", text("1 - "+user("one"), "2 1 "+reset(""), "3 2 "+user("three"), "4 1 "+user("four"), "5 4 "+leaf("1")), "user: three\nuser: four\n"},
		{"a compaction after a reset", text("1 - "+user("one"), "2 1 "+reset(""), "3 2 "+user("three"), "4 3 "+compacted("S", "1")), "user: «S»\nuser: three\n"},
		{"what the gateway says", text("1 - "+user("Pre-compaction memory flush. Write."), "2 1 "+said("NO_REPLY"), "3 2 "+user("[Post-compaction context refresh]\\n\\nx")), "user: Pre-compaction memory flush. Write.\nuser: [Post-compaction context refresh]\\n\\nx\n"},
		{"a command a person ran", text(`1 - "type":"message","message":{"role":"bashExecution","command":"ls","output":"a","exitCode":2}`), "user: Ran `ls`\\n```\\na\\n```\\n\\nCommand exited with code 2\n"},
		{
			"a command whose output was cut",
			text(`1 - "type":"message","message":{"role":"bashExecution","command":"ls","output":"a","exitCode":0,"truncated":true,"fullOutputPath":"/f"}`),
			"user: Ran `ls`\\n```\\na\\n```\\n\\n[Output truncated. Full output: /f]\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := reading(t, test.text)
			if got := r.Seen(t); got != test.want {
				t.Errorf("got\n%swant\n%s%s", got, test.want, r.Story())
			}
		})
	}
}

func TestRecords(t *testing.T) {
	r := reading(t, text(
		`1 - "type":"model_change","provider":"p","modelId":"m"`, `2 1 "type":"thinking_level_change","thinkingLevel":"high"`,
		`3 2 "type":"message","message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","mimeType":"image/png","data":"iVBORw0K"},{"type":"odd"}]}`,
		`4 3 "type":"message","message":{"role":"assistant","provider":"p","model":"m","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"sig"},{"type":"toolCall","id":"c1","name":"exec","arguments":{"command":"ls"}},{"type":"toolCall","id":"c2","name":"read","arguments":"x"}],"stopReason":"toolUse","usage":{"input":0,"output":0}}`,
		`5 4 "type":"message","message":{"role":"toolResult","toolCallId":"c2","toolName":"read","content":[{"type":"text","text":"text"}],"isError":true}`,
		`6 5 "type":"message","message":{"role":"toolResult","toolCallId":"c1","toolName":"exec","content":"gone","details":{"exitCode":2},"isError":false}`,
		"7 6 "+said("done"), `8 7 "type":"label","targetId":"7","label":"here"`, `9 8 "type":"custom_message","customType":"x","content":"said by a plugin","display":true`,
		`10 9 "type":"message","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"no"}`, "11 10 "+compacted("S", "7"),
	))
	const want = `1 note openclaw.session:
2 model p/m
3 note openclaw.thinking_level_change:
4 message user: look [image] [?]
5 message assistant: ~hm exec#c1{"command":"ls"} read#c2{"input":"x"} (toolUse)
6 message toolResult!: text
7 message toolResult!: gone
8 message assistant: done (stop)
9 label 8 here
10 note openclaw.custom_message: said by a plugin
11 message assistant: (error)
12 compaction from 8 unknown: S
`
	if r.Story() != want {
		t.Error(r.Story())
	}
	if u := r.Records[7].Message.Usage; u == nil || u.Input != 10 || u.CacheRead != 3 || *u.Cost != 0.5 || r.Records[4].Message.Usage != nil {
		t.Errorf("%+v", u)
	}
	if c := r.Records[11].Compaction; *c.TokensAfter != 4 || c.TokensBefore != 9 || len(c.ReadFiles) != 1 {
		t.Errorf("%+v", c)
	}
}

// TestCut: a transcript that is cut anywhere loses no entry before the cut.
func TestCut(t *testing.T) {
	all := text("1 - "+user("one"), "2 1 "+said("two"), "3 2 "+user("three"))
	for at := strings.LastIndex(all[:len(all)-1], "\n") - 9; at <= len(all); at++ {
		r := reading(t, all[:at])
		whole := strings.Count(all[:at], "\n")
		if at == len(all)-1 || at < len(all) && strings.HasSuffix(all[:at], "}") && all[at] == '\n' {
			whole++ // only the newline is missing
		}
		if len(r.Records) != whole {
			t.Fatalf("at %d: %d records of %d lines", at, len(r.Records), whole)
		}
	}
}

func TestDamage(t *testing.T) {
	all := strings.Replace(text("1 - "+user("one"), "2 1 "+user("two"), "3 2 "+user("three")), `"role":"user","content":"two"`, `"role":`, 1)
	home := sourcetest.Home(t, map[string]string{sessionsDir + "s1.jsonl": all})
	env := sourcetest.Env(t, home)
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if r.Damaged != 1 || r.Seen(t) != "user: one\nuser: three\n" {
		t.Error(r.Damaged, r.Seen(t))
	}
}

func home(t testing.TB) string {
	t.Helper()
	home := sourcetest.Home(t, map[string]string{
		sessionsDir + "s1.jsonl":      text("1 - "+user("one"), "2 1 "+said("two"), "3 2 "+leaf("1"), "4 3 "+user("four"), "5 4 "+compacted("S", "1"), "6 5 "+reset("4")),
		sessionsDir + "sessions.json": index1(`{"label":"L"}`),
		sessionsDir + "s2.jsonl.zst":  packed(t, strings.Replace(text("1 - "+user("packed")), `"id":"s1"`, `"id":"s2"`, 1)),
	})
	return home
}

func TestDamagedDatabase(t *testing.T) {
	home := t.TempDir()
	database(t, home, text("1 - "+user("one"), "2 1 "+said("two"), "3 2 "+user("three")))
	sourcetest.SurvivesSome(t, Source{}, home, 24)
}

func TestEventThatCannotBeRead(t *testing.T) {
	for _, set := range []string{"event_json = NULL, event_zstd = x'6e6f74'", "event_json = NULL", "event_json = ''"} {
		home := t.TempDir()
		database(t, home, text("1 - "+user("one"), "2 1 "+user("two"), "3 2 "+user("three")), "UPDATE transcript_events SET "+set+" WHERE seq = 2")
		env := sourcetest.Env(t, home)
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		if r.Err != nil || r.Damaged != 1 || r.Seen(t) != "user: one\nuser: three\n" {
			t.Error(set, r.Err, r.Damaged, r.Seen(t))
		}
	}
}

// TestLogAlone: a database of which only the log is left is told of.
func TestLogAlone(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, text("1 - "+user("one")))
	if err := os.Rename(path, path+"-wal"); err != nil {
		t.Fatal(err)
	}
	if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home))); f.ID != "main/"+filepath.Base(path) || !strings.Contains(f.Problem, "can't be read without it") {
		t.Errorf("%+v", f)
	}
}

// TestEventThatIsTooLong: it is told of, as a line that is too long.
func TestEventThatIsTooLong(t *testing.T) {
	path := database(t, t.TempDir(), text("1 - "+user("one"), "2 1 "+user(strings.Repeat("2", 1000)), "3 2 "+user("three")))
	db, cleanup, err := (*sqlite.Cache)(nil).Open(t.Context(), t.TempDir(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cleanup() }()
	var seqs many.List[int64]
	seqs.Add(0)
	seqs.Add(2)
	from, err := rows(t.Context(), db.DB, "s1", &seqs, 300)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = read(t.Context(), "openclaw", "s1", from, sources.NewLog("openclaw", "s1", &out, nil))
	if r := (&sourcetest.Reading{Log: out.Bytes()}); err != nil || !strings.HasPrefix(r.Overlong(), "byte 2: line of 1") {
		t.Errorf("%v, %q", err, r.Overlong())
	}
}

func TestSurvives(t *testing.T) { sourcetest.Survives(t, Source{}, home(t)) }

func TestSamplesSurvive(t *testing.T) {
	sourcetest.SurvivesSome(t, Source{}, sourcetest.Samples(t, "openclaw-")[0], 8)
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(text("1 - "+user("one"), "2 1 "+leaf("1"), "3 2 "+compacted("S", "1"), "4 3 "+reset("1"), `5 4 "appendMode":"side",`+said("x"), "6 x "+user("six"), "7 5 "+leaf("-"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		log := sources.NewLog("openclaw", "s1", &out, func([]byte) (string, error) { return "sha", nil })
		from := func(ctx context.Context, broken func(sources.Line), visit func(gjson.Result) error) error {
			return lines(ctx, bytes.NewReader(data), broken, visit)
		}
		if err := read(t.Context(), "openclaw", "s1", from, log); err != nil && !errors.Is(err, sources.ErrGone) || log.Err() != nil {
			t.Fatal(err, log.Err())
		}
		(&sourcetest.Reading{Log: out.Bytes()}).Context(t)
	})
}

func TestSamples(t *testing.T) {
	if n := sourcetest.CheckSamples(t, Source{}, "openclaw-"); n < 1 {
		t.Errorf("only %d sessions", n)
	}
}

// TestSampleContext holds the model's view of a real session against what was read by eye.
func TestSampleContext(t *testing.T) {
	env := sourcetest.Env(t, sourcetest.Samples(t, "openclaw-2026.9.6")[0])
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if found.Version != "2026.9.6" || found.FirstMessage != "READFILE list the files of this project" || found.Model != "mock-1" || found.Cwd == "" {
		t.Errorf("%+v", found)
	}
	r := sourcetest.Read(t, Source{}, env, found)
	failures, messages := 0, 0
	for _, rec := range r.Records {
		if rec.Message != nil {
			messages++
			if rec.Message.IsError {
				failures++
			}
		}
	}
	seen := r.Context(t).Messages
	if messages != 14 || failures != 1 || len(seen) != 6 || !strings.Contains(seen[0].Content[0].Text, "## Latest user request context") {
		t.Errorf("%d messages, %d failures\n%s", messages, failures, r.Seen(t))
	}
}

// TestAResetIsNoCompaction, also where it keeps something.
func TestAResetIsNoCompaction(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{sessionsDir + "s1.jsonl": text("1 - "+user("one"), "2 1 "+compacted("S", "1"), "3 2 "+user("two"), "4 3 "+reset("3"))})
	env := sourcetest.Env(t, home)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	r := sourcetest.Read(t, Source{}, env, found)
	if got, want := r.Triggers(), []string{"unknown", record.TriggerEdit}; !slices.Equal(got, want) || *found.Compactions != 1 {
		t.Errorf("%q, %d on the list", got, *found.Compactions)
	}
}

func TestCapabilities(t *testing.T) {
	sourcetest.CheckCapabilities(t, Source{}.Capabilities())
}

// TestSummariesThatAreMessages: the model gets a summary that stands in a message in the same words as one that stands in an entry of its own.
func TestSummariesThatAreMessages(t *testing.T) {
	summary := func(role, text string) string {
		return `"type":"message","message":{"role":"` + role + `","summary":"` + text + `"}`
	}
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
		sessionsDir + "s1.jsonl": text("1 - "+user("a"), "2 1 "+summary("branchSummary", "b"), "3 2 "+summary("compactionSummary", "c"), "4 3 "+summary("branchSummary", "")),
	}))
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	want := []string{"user: a", "user: " + glean.CameBack.Say("b"), "user: " + glean.Compacted.Say("c")}
	if got := r.View(t); r.Err != nil || !slices.Equal(got, want) {
		t.Errorf("%v %q", r.Err, got)
	}
}
