package picoclaw

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sourcetest"
)

const (
	dir   = ".picoclaw/workspace/sessions/"
	lines = `{"role":"user","content":"# rules","created_at":"2026-01-02T10:00:00.123456789Z"}
{"role":"user","content":"hi","created_at":"2026-01-02T10:00:01Z","media":["data:image/png;base64,iVBORw0K","media://x"]}
{"role":"assistant","content":"","reasoning_content":"hm","model_name":"m","tool_calls":[{"id":"c1","type":"function","function":{"name":"exec","arguments":"{\"command\":\"ls\"}"}}],"created_at":"2026-01-02T10:00:02Z"}
{"role":"tool","content":"x\nExit code: exit status 2","tool_call_id":"c1","created_at":"2026-01-02T10:00:03Z"}
{"role":"assistant","content":"done","model_name":"m","created_at":"2026-01-02T10:00:03Z"}
`
)

func meta1(members string) string {
	return `{"key":"sk_v1_aa","created_at":"2026-01-02T10:00:00Z","updated_at":"2026-01-02T10:05:00Z","aliases":["agent:main:main","cli:demo"],` + members + `}`
}

func reading(t *testing.T, files map[string]string) (sources.Found, *sourcetest.Reading) {
	t.Helper()
	home := sourcetest.Home(t, files)
	env := sourcetest.Env(t, home)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	r := sourcetest.Read(t, Source{}, env, found)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return found, r
}

func TestRecords(t *testing.T) {
	found, r := reading(t, map[string]string{dir + "sk_v1_aa.jsonl": lines + `{"role":"user","cont`, dir + "sk_v1_aa.meta.json": meta1(`"summary":"","skip":0,"count":9`)})
	const want = `1 message user: # rules
2 message user: hi [image] [?]
3 message assistant: ~hm exec#c1{"command":"ls"}
4 message toolResult!: x\nExit code: exit status 2
5 message assistant: done
`
	if r.Story() != want || r.Damaged > 0 {
		t.Error(r.Story())
	}
	if found.ID != "sk_v1_aa" || found.Title != "cli:demo" || found.FirstMessage != "# rules" || found.Model != "m" || *found.Messages != 5 || found.UpdatedAt.Minute() != 0 || found.UpdatedAt.Second() != 3 {
		t.Errorf("%+v", found)
	}
	if !strings.Contains(string(r.Log), `"entry":"2026-01-02T10:00:03Z#2"`) {
		t.Error("two messages of one moment have one entry")
	}
}

// TestSummary: what the summary stands for is hidden, whether it is still in the file or not.
func TestSummary(t *testing.T) {
	for members, want := range map[string]string{
		`"summary":"S","skip":0`:  "user: «S»\nuser: # rules\nuser: hi [image]\nassistant: exec#c1{\"command\":\"ls\"}\ntoolResult!: x\\nExit code: exit status 2\nassistant: done\n",
		`"summary":"S","skip":4`:  "user: «S»\nassistant: done\n",
		`"summary":"S","skip":5`:  "user: «S»\n",
		`"summary":"S","skip":99`: "user: «S»\n",
		`"summary":"S","skip":-1`: "user: «S»\nuser: # rules\nuser: hi [image]\nassistant: exec#c1{\"command\":\"ls\"}\ntoolResult!: x\\nExit code: exit status 2\nassistant: done\n",
		`"summary":"","skip":4`:   "assistant: done\n",
		`"summary":"","skip":99`:  "",
	} {
		_, r := reading(t, map[string]string{dir + "sk_v1_aa.jsonl": lines, dir + "sk_v1_aa.meta.json": meta1(members)})
		got := r.Seen(t)
		if said, rest, is := strings.Cut(got, "\n"); is && strings.HasPrefix(said, "user: CONTEXT_SUMMARY: ") {
			got = "user: «S»\n" + rest
		}
		if got != want {
			t.Errorf("%s: got\n%swant\n%s%s", members, got, want, r.Story())
		}
	}
}

// TestTimesOfLines: when something was said last in a session its messages say, whatever was written beside them later, also in a long file, whose
// beginning may be longer than is read. Where they don't, what is beside them does.
func TestTimesOfLines(t *testing.T) {
	line := func(length int, minute string) string {
		return `{"role":"user","content":"` + strings.Repeat("x", length) + `","created_at":"2026-01-02T10:` + minute + `:00Z"}` + "\n"
	}
	for name, c := range map[string]struct {
		text        string
		begun, last int
	}{
		"short":                     {line(1, "01") + line(1, "02"), 1, 2},
		"long":                      {line(1, "01") + strings.Repeat(line(1000, "03"), 200) + line(1, "04"), 1, 4},
		"a long last line":          {line(1, "01") + line(300<<10, "05"), 1, 5},
		"a first one not read":      {line(11<<20, "01") + line(1, "02") + line(1, "03"), 2, 3},
		"half a line at its end":    {line(1, "01") + line(1, "02") + `{"role":"user","con`, 1, 2},
		"a later one stands before": {line(1, "01") + line(1, "04") + line(1, "03"), 1, 4},
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{dir + "cli_demo.jsonl": c.text}))
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		if found.CreatedAt.Minute() != c.begun || found.UpdatedAt.Minute() != c.last || found.UpdatedAt.Hour() != 10 || found.CreatedAt.Hour() != 10 {
			t.Errorf("%s: %v to %v", name, found.CreatedAt, found.UpdatedAt)
		}
	}
}

// TestFrame: a summary is said in PicoClaw's words.
func TestFrame(t *testing.T) {
	_, r := reading(t, map[string]string{dir + "sk_v1_aa.jsonl": lines, dir + "sk_v1_aa.meta.json": meta1(`"summary":"They said hi.","skip":4`)})
	said := r.Context(t).Messages[0].Content[0].Text
	if !strings.HasPrefix(said, "CONTEXT_SUMMARY: ") || !strings.HasSuffix(said, "defer to explicit instructions.\n\nThey said hi.") {
		t.Error(said)
	}
}

// TestSummaryBehindDamage: what is hidden is counted in lines, those that nobody can read as well.
func TestSummaryBehindDamage(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{dir + "sk_v1_aa.jsonl": `{"role":"us` + "\n\n" + lines, dir + "sk_v1_aa.meta.json": meta1(`"summary":"S","skip":5`)})
	env := sourcetest.Env(t, home)
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if r.Err != nil || r.Damaged != 1 || !strings.HasPrefix(r.Seen(t), "user: CONTEXT_SUMMARY: ") || !strings.HasSuffix(r.Seen(t), "…\nassistant: done\n") {
		t.Errorf("%v %d\n%s%s", r.Err, r.Damaged, r.Seen(t), r.Story())
	}
}

// TestSummedUpLater: a summary that was written beside the messages later is not the last message.
func TestSummedUpLater(t *testing.T) {
	line := func(more string) string { return `{"role":"user","content":"hi"` + more + "}\n" }
	for name, c := range map[string]struct {
		text string
		last int
	}{
		"messages with times":     {line(`,"created_at":"2026-01-02T10:01:00Z"`) + line(`,"created_at":"2026-01-02T10:02:00Z"`), 2},
		"one of them without":     {line(`,"created_at":"2026-01-02T10:01:00Z"`) + line(""), 1},
		"messages without a time": {line(""), 5},
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{dir + "sk_v1_aa.jsonl": c.text, dir + "sk_v1_aa.meta.json": meta1(`"summary":"S","skip":0`)}))
		if at := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)).UpdatedAt; at.Minute() != c.last {
			t.Errorf("%s: %v", name, at)
		}
	}
}

func TestEarlyVersions(t *testing.T) {
	object := `{"key":"cli:demo","messages":[` + strings.ReplaceAll(strings.TrimSpace(lines), "\n", ",") + `],"summary":"S","created":"2026-01-02T10:00:00Z","updated":"2026-01-02T10:05:00Z"}`
	found, r := reading(t, map[string]string{dir + "cli_demo.json": object})
	if found.ID != "cli:demo" || found.FirstMessage != "# rules" || len(r.Records) != 6 || r.Records[0].Compaction == nil {
		t.Errorf("%+v\n%s", found, r.Story())
	}
	if _, r = reading(t, map[string]string{dir + "cli_demo.json.migrated": object}); len(r.Records) != 6 {
		t.Error(r.Story())
	}
	// The session that it became is the one that is told of, by the id that it had, and its metadata is no session.
	found, _ = reading(t, map[string]string{dir + "cli_demo.json.migrated": object, dir + "cli_demo.json": object, dir + "sk_v1_aa.jsonl": lines, dir + "sk_v1_aa.meta.json": meta1(`"skip":0`)})
	if found.ID != "cli:demo" || filepath.Base(found.Files[0]) != "sk_v1_aa.jsonl" {
		t.Errorf("%+v", found)
	}
}

// TestEarlyVersionOfAnother: what a file in the form of early versions is of says its key, not its name, which another session may have had.
func TestEarlyVersionOfAnother(t *testing.T) {
	object := func(members string) string {
		return `{` + members + `"messages":[{"role":"user","content":"hi"}],"summary":"","created":"2026-01-02T10:00:00Z"}`
	}
	for name, c := range map[string]struct {
		file, text string
		told       bool
	}{
		"its name, another key":   {"cli_demo.json", object(`"key":"cli:other",`), true},
		"its name and key":        {"cli_demo.json", object(`"key":"cli:demo",`), false},
		"another name, its key":   {"cli_copy.json", object(`"key":"cli:demo",`), true},
		"its name, and no key":    {"cli_demo.json", object(""), false},
		"taken over, another key": {"cli_demo.json.migrated", object(`"key":"cli:other",`), true},
		"another name, no key":    {"cli_copy.json", object(""), true},
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{dir + "sk_v1_aa.jsonl": lines, dir + "sk_v1_aa.meta.json": meta1(`"skip":0`), dir + c.file: c.text}))
		found := sourcetest.Find(t, Source{}, env)
		later := func(f sources.Found) bool { return filepath.Base(f.Files[0]) == "sk_v1_aa.jsonl" }
		if told := len(found) == 2; !slices.ContainsFunc(found, later) || told != c.told {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// TestMetadataIsNoSession: not even where it is alone, and has what a session in the form of early versions has.
func TestMetadataIsNoSession(t *testing.T) {
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
		dir + "sk_v1_aa.meta.json": meta1(`"summary":"S","skip":0`),
		dir + "sk_v1_bb.meta.json": `{"key":"cli:demo","messages":[{"role":"user","content":"hi"}],"summary":"","created":"2026-01-02T10:00:00Z"}`,
	}))
	if found := sourcetest.Find(t, Source{}, env); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

// TestHalfWritten: of a file in the form of early versions that is cut off, what is whole is read, and the rest shows as damage.
func TestHalfWritten(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{dir + "cli_demo.json": `{"key":"cli:demo","messages":[{"role":"user","content":"hi"},{"role":"assist`})
	env := sourcetest.Env(t, home)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	r := sourcetest.Read(t, Source{}, env, found)
	if found.ID != "cli:demo" || found.Problem != "" || found.FirstMessage != "hi" || r.Err != nil || r.Damaged != 1 || r.Seen(t) != "user: hi\n" {
		t.Errorf("%+v %v %d\n%s", found, r.Err, r.Damaged, r.Story())
	}
}

// TestTwoWorkspaces may have a conversation of one name.
func TestTwoWorkspaces(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		dir + "sk_v1_aa.jsonl": lines, dir + "sk_v1_aa.meta.json": meta1(`"skip":0`),
		".picoclaw/workspace-b/sessions/sk_v1_aa.jsonl": `{"role":"user","content":"other"}` + "\n", ".picoclaw/workspace-b/sessions/sk_v1_aa.meta.json": `{"key":"sk_v1_aa"}`,
	})
	env := sourcetest.Env(t, home)
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	if len(found) != 2 || found["sk_v1_aa"].Files == nil {
		t.Fatalf("%+v", found)
	}
	for id, f := range found {
		if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil || len(r.Records) == 0 {
			t.Errorf("%s: %v", id, r.Err)
		}
	}
}

// TestTwoFiles of one workspace may name one session: what went on apart is told of, and what is the same once.
func TestTwoFiles(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		dir + "sk_v1_aa.jsonl": lines, dir + "sk_v1_aa.meta.json": meta1(`"skip":0`),
		dir + "sk_v1_bb.jsonl": `{"role":"user","content":"other"}` + "\n", dir + "sk_v1_bb.meta.json": meta1(`"skip":0`),
		dir + "sk_v1_cc.jsonl": lines, dir + "sk_v1_cc.meta.json": meta1(`"skip":0`),
		dir + "sk_v1_aa.json": `{"key":"sk_v1_aa","messages":[{"role":"user","content":"early"}]}`,
	})
	env := sourcetest.Env(t, home)
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	if len(found) != 2 || filepath.Base(found["sk_v1_aa"].Files[0]) != "sk_v1_aa.jsonl" {
		t.Fatalf("%+v", found)
	}
	seen := ""
	for _, f := range found {
		seen += sourcetest.Read(t, Source{}, env, f).Seen(t)
	}
	if !strings.Contains(seen, "user: other\n") || !strings.Contains(seen, "user: # rules\n") {
		t.Error(seen)
	}
}

func TestFind(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		"pico/workspace/sessions/a.jsonl": lines, "pico/workspace-two/sessions/b.jsonl": lines, "elsewhere/sessions/c.jsonl": lines, "third/sessions/d.jsonl": lines,
		"pico/config.json":                      `{"agents":{"defaults":{"workspace":"~/elsewhere"},"list":[{"workspace":"HOME/third"}]}}`,
		"pico/workspace/sessions/broken.json":   `{"key":`,
		"pico/workspace/sessions/other.json":    `{"a":1}`,
		"pico/workspace/sessions/session-1.tmp": "x",
	})
	config := filepath.Join(home, "pico", "config.json")
	if err := os.WriteFile(config, []byte(strings.ReplaceAll(`{"agents":{"defaults":{"workspace":"~/elsewhere"},"list":[{"workspace":"HOME/third"}]}}`, "HOME", filepath.ToSlash(home))), 0o600); err != nil {
		t.Fatal(err)
	}
	env := sourcetest.EnvWith(t, home, "PICOCLAW_HOME="+filepath.Join(home, "pico"))
	sourcetest.Unchanged(t, home, func() {
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, []string{"a", "b", "broken", "c", "d"}) || found["broken"].Problem == "" {
			t.Error(got)
		}
	})
}

func TestAnother(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{dir + "sk_v1_aa.jsonl": lines, dir + "sk_v1_aa.meta.json": meta1(`"skip":0`)})
	env := sourcetest.Env(t, home)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	sourcetest.Write(t, home, dir+"sk_v1_aa.meta.json", strings.Replace(meta1(`"skip":0`), "sk_v1_aa", "sk_v1_bb", 1))
	if r := sourcetest.Read(t, Source{}, env, found); !errors.Is(r.Err, sources.ErrGone) {
		t.Error(r.Err)
	}
	if err := os.Remove(found.Files[0]); err != nil {
		t.Fatal(err)
	}
	if r := sourcetest.Read(t, Source{}, env, found); !errors.Is(r.Err, sources.ErrGone) {
		t.Error(r.Err)
	}
}

func TestSurvives(t *testing.T) {
	sourcetest.Survives(t, Source{}, sourcetest.Home(t, map[string]string{
		dir + "sk_v1_aa.jsonl": lines, dir + "sk_v1_aa.meta.json": meta1(`"summary":"S","skip":2`), dir + "cli_x.json": `{"key":"cli:x","messages":[{"role":"user","content":"x"}]}`,
	}))
}

func TestSamplesSurvive(t *testing.T) {
	sourcetest.Survives(t, Source{}, sourcetest.Samples(t, "picoclaw-")[0])
}

func TestSamples(t *testing.T) {
	if n := sourcetest.CheckSamples(t, Source{}, "picoclaw-"); n < 1 {
		t.Errorf("only %d sessions", n)
	}
	env := sourcetest.Env(t, sourcetest.Samples(t, "picoclaw-dev")[0])
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	r := sourcetest.Read(t, Source{}, env, found)
	if found.Title != "cli:demo" || found.FirstMessage != "NOTOOL fifth" || len(r.Records) != 5 || len(r.Context(t).Messages) != 5 {
		t.Errorf("%+v\n%s", found, r.Story())
	}
}

func TestCapabilities(t *testing.T) { sourcetest.CheckCapabilities(t, Source{}.Capabilities()) }

func FuzzRead(f *testing.F) {
	f.Add([]byte(lines), int64(2))
	f.Fuzz(func(t *testing.T, data []byte, skip int64) {
		var out bytes.Buffer
		log := sources.NewLog("picoclaw", "s", &out, func([]byte) (string, error) { return "sha", nil })
		kept, err := behind(t.Context(), bytes.NewReader(data), skip)
		if err != nil || kept < 0 || kept > int64(len(data)) {
			t.Fatal(kept, err)
		}
		r := &reader{log: log, summary: "S", kept: kept}
		err = jsonl.Each(t.Context(), bytes.NewReader(data), jsonl.Broken(log), func(line sources.Line, rec gjson.Result) error { return r.message(rec, line.Offset) })
		if r.compact(); err != nil || log.Err() != nil {
			t.Fatal(err, log.Err())
		}
		(&sourcetest.Reading{Log: out.Bytes()}).Context(t)
	})
}

// TestBegan: without anything beside the messages, the first of them says when the session began.
func TestBegan(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{".picoclaw/workspace/sessions/cli_x.jsonl": `{"role":"user","content":"one","created_at":"2026-01-02T10:00:00Z"}` + "\n"})
	f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home)))
	if want := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC); !f.CreatedAt.Equal(want) {
		t.Errorf("%v", f.CreatedAt)
	}
}

// TestSettingsElsewhere: the variable that moves the settings is heeded.
func TestSettingsElsewhere(t *testing.T) {
	home := t.TempDir()
	workspace := filepath.ToSlash(filepath.Join(home, "work"))
	sourcetest.Write(t, home, "settings.json", `{"agents":{"defaults":{"workspace":"`+workspace+`"}}}`)
	sourcetest.Write(t, home, "work/sessions/cli_x.jsonl", `{"role":"user","content":"one"}`+"\n")
	env := sourcetest.Env(t, home)
	env.Getenv = func(name string) string {
		return map[string]string{"PICOCLAW_CONFIG": filepath.Join(home, "settings.json")}[name]
	}
	if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); f.FirstMessage != "one" {
		t.Errorf("%+v", f)
	}
}

// TestMetaUnread: without what says which messages the model has nobody knows that, and it is told of; that there is none is usual.
func TestMetaUnread(t *testing.T) {
	for name, want := range map[string]int{"sk_v1_aa.meta.json": 1, "other.txt": 0} {
		_, r := reading(t, map[string]string{dir + "sk_v1_aa.jsonl": lines, dir + name: `{"key":"sk_v1_aa","sum`})
		if r.Damaged != want || strings.Contains(string(r.Log), "beside the session, can't be read: it is no JSON") != (want == 1) {
			t.Errorf("%s: %s", name, r.Log)
		}
	}
}

// TestNamedByItsKey: in the first files of lines the key is what a conversation is called.
func TestNamedByItsKey(t *testing.T) {
	for key, want := range map[string]string{"telegram:123": "telegram:123", "sk_v1_aa": ""} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{dir + "x.jsonl": lines, dir + "x.meta.json": `{"key":"` + key + `","summary":"","skip":0}`}))
		if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); f.ID != key || f.Title != want {
			t.Errorf("%+v", f)
		}
	}
}

// TestSystemMessagesAreNotSent: PicoClaw leaves those that are in a history out of what it sends: it makes its own each time.
func TestSystemMessagesAreNotSent(t *testing.T) {
	_, r := reading(t, map[string]string{dir + "a.jsonl": `{"role":"system","content":"[Emergency compression dropped 4 oldest messages due to context limit]"}` + "\n" + `{"role":"user","content":"go on"}` + "\n"})
	if got := r.View(t); !slices.Equal(got, []string{"user: go on"}) || !strings.Contains(r.Story(), "1 note picoclaw.system") {
		t.Errorf("%q\n%s", got, r.Story())
	}
}

// TestThinkingAndFiles: what is sent again. DeepSeek and MiMo alone are told what they thought, of turns with tools; recordings go as they are;
// attachments and what is elsewhere are nothing to a model.
func TestThinkingAndFiles(t *testing.T) {
	answer := func(model, rest string) string {
		return `{"role":"assistant","content":"a","reasoning_content":"hm","model_name":"` + model + `"` + rest + "}\n"
	}
	const call, result, image = `,"tool_calls":[{"id":"c","function":{"name":"ls","arguments":"{}"}}]`, `{"role":"tool","content":"x","tool_call_id":"c"}` + "\n", `data:image/png;base64,iVBORw0K`
	lines := `{"role":"user","content":"hi","media":["data:audio/wav;base64,AQID","media://1","` + image + `"],"attachments":[{"type":"image","url":"` + image + `"}]}` + "\n" +
		answer("deepseek-chat", "") + `{"role":"user","content":"do"}` + "\n" + answer("deepseek-chat", call) + result + answer("MiMo-v2", "") + answer("gpt-5", "") + `{"role":"user","content":"more"}` + "\n" + answer("deepseek-chat", "") +
		answer("deepseek-chat", call) + result + answer("deepseek-chat", "") // calls that are not sent are none
	_, r := reading(t, map[string]string{dir + "sk_v1_aa.jsonl": lines})
	const want = "user: hi [as it is] [image]\nassistant: a\nuser: do\nassistant: ~hm a ls#c{}\ntoolResult: x\nassistant: ~hm a\nassistant: a\nuser: more\nassistant: a\nassistant: a\n"
	if got := r.Seen(t); got != want || !strings.Contains(r.Story(), "1 message user: hi [as it is] [?] [image] ") {
		t.Errorf("%s\n%s", got, r.Story())
	}
}

// TestCallsWithoutAPrompt: calls right behind an answer, or at the beginning of what is left, are in no request, nor are their results.
func TestCallsWithoutAPrompt(t *testing.T) {
	call := func(id string) string {
		return `{"role":"assistant","content":"","tool_calls":[{"id":"` + id + `","function":{"name":"ls","arguments":"{}"}}]}` + "\n" + `{"role":"tool","content":"x","tool_call_id":"` + id + "\"}\n"
	}
	const prompt, answer = `{"role":"user","content":"do"}` + "\n", `{"role":"assistant","content":"a"}` + "\n"
	for name, c := range map[string]struct{ lines, meta, want string }{
		"behind an answer":     {prompt + call("1") + call("2") + answer + call("3") + answer, `"skip":0`, "user: do\nassistant: ls#1{}\ntoolResult: x\nassistant: ls#2{}\ntoolResult: x\nassistant: a\nassistant: a\n"},
		"at the beginning":     {call("1") + answer + prompt + call("2"), `"skip":0`, "assistant: a\nuser: do\nassistant: ls#2{}\ntoolResult: x\n"},
		"behind a thought":     {prompt + `{"role":"assistant","content":"","reasoning_content":"hm"}` + "\n" + call("1"), `"skip":0`, "user: do\nassistant: ls#1{}\ntoolResult: x\n"},
		"where it begins anew": {prompt + call("1") + answer, `"skip":1`, "assistant: a\n"},
	} {
		_, r := reading(t, map[string]string{dir + "sk_v1_aa.jsonl": c.lines, dir + "sk_v1_aa.meta.json": meta1(c.meta)})
		if got := r.Seen(t); got != c.want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
