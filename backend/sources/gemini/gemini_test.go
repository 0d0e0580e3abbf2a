package gemini

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sourcetest"
)

const (
	chats = ".gemini/tmp/app/chats/"
	head  = `{"sessionId":"s1","projectHash":"h","startTime":"2026-01-02T10:00:00.000Z","lastUpdated":"2026-01-02T10:00:00.000Z","kind":"main"}` + "\n"
	start = `{"id":"ctx","timestamp":"2026-01-02T10:00:00.000Z","type":"user","content":[{"text":"<session_context>\n- **Workspace Directories:**\n  - /w/app\n</session_context>"}]}`
)

func set(messages ...string) string {
	return `{"$set":{"messages":[` + strings.Join(messages, ",") + `],"lastUpdated":"2026-01-02T10:01:00.000Z"}}`
}

func user(id, text string) string {
	return fmt.Sprintf(`{"id":%q,"timestamp":"2026-01-02T10:00:01.000Z","type":"user","content":[{"text":%q}]}`, id, text)
}

func model(id, text string, more ...string) string {
	return fmt.Sprintf(`{"id":%q,"timestamp":"2026-01-02T10:00:02.000Z","type":"gemini","content":%q,"model":"m"%s}`, id, text, strings.Join(more, ""))
}

func response(id, call, output string) string {
	return fmt.Sprintf(`{"id":%q,"type":"user","content":[{"functionResponse":{"id":%q,"name":"run_shell_command","response":{"output":%q}}}]}`, id, call, output)
}

func called(call, output string) string {
	return fmt.Sprintf(`,"toolCalls":[{"id":%q,"name":"run_shell_command","args":{"command":"ls"},"status":"success","result":[{"functionResponse":{"id":%q,"name":"run_shell_command","response":{"output":%q}}}],"resultDisplay":"x"}]`, call, call, output)
}

func file(lines ...string) string { return head + strings.Join(lines, "\n") + "\n" }

// readInto reads lines into a log.
func readInto(t *testing.T, log *sources.Log, text string) error {
	t.Helper()
	return newReader(nil, "s1").readInto(t, log, text)
}

func (r *reader) readInto(t *testing.T, log *sources.Log, text string) error {
	t.Helper()
	path := sourcetest.Write(t, t.TempDir(), "session-1-s1.jsonl", text)
	_, err := jsonl.Follow(t.Context(), path, log, r.steps(path))
	return err
}

func reading(t *testing.T, name, text string) (sources.Found, *sourcetest.Reading) {
	t.Helper()
	home := sourcetest.Home(t, map[string]string{chats + name: text})
	env := sourcetest.Env(t, home)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	r := sourcetest.Read(t, Source{}, env, found)
	if r.Err != nil || r.Damaged > 0 {
		t.Fatal(r.Err, r.Damaged)
	}
	return found, r
}

const began = `user: <session_context>\n- **Workspace Directories:**\n  - /w/app\n</session_context>` + "\n"

// TestForms: a file is read as what it is, whatever it is called.
func TestForms(t *testing.T) {
	whole := `{
  "sessionId": "s1",
  "projectHash": "h",
  "startTime": "2026-01-02T10:00:00.000Z",
  "messages": [
    {"id": "u1", "type": "user", "content": "one"},
    {"id": "g1", "type": "gemini", "content": "two"}
  ]
}
`
	lines := file(user("u1", "one"), model("g1", "two"))
	for name, text := range map[string]string{
		"session-1-s1.json": whole, "session-2-s1.jsonl": whole, "session-3-s1.json": lines, "session-4-s1.jsonl": lines,
		"session-5-s1.json": strings.ReplaceAll(whole, "\n", ""),
	} {
		found, r := reading(t, name, text)
		if got := r.Seen(t); got != "user: one\nassistant: two\n" || found.ID != "s1" || found.FirstMessage != "one" {
			t.Errorf("%s: %s %+v", name, got, found)
		}
	}
}

// TestWhatTheModelSees: messages written again, lists that replace others, and what is taken back.
func TestWhatTheModelSees(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  string
		story string
	}{
		{"plain", []string{set(start), user("u1", "one"), model("g1", "two")}, began + "user: one\nassistant: two\n", ""},
		{
			"parts of other kinds, in what a person gave, in answers and in outputs",
			[]string{
				set(start), `{"id":"u1","type":"user","content":[{"text":"one"},{"inlineData":{"mimeType":"application/pdf","data":"AQID"}},{"fileData":{"fileUri":"x"}}]}`,
				`{"id":"g1","type":"gemini","content":[{"executableCode":{"code":"1"}},{"text":"two"},{"text":"","thoughtSignature":"s"}]}`,
				model("g2", "", strings.Replace(called("c", "a"), `"output":"a"}}`, `"output":"a"},"parts":[{"inlineData":{"mimeType":"application/pdf","data":"AQID"}}]}`, 1)),
			},
			began + "user: one [as it is] [as it is]\nassistant: [as it is] two\nassistant: run_shell_command#c{\"command\":\"ls\"}\ntoolResult: a [as it is]\n", "",
		},
		{
			"a message that is written again when its calls have ended",
			[]string{set(start), user("u1", "one"), model("g1", ""), model("g1", "", called("c", "a\nExit Code: 2\n")), response("r1", "c", "a"), model("g2", "two")},
			began + "user: one\nassistant: run_shell_command#c{\"command\":\"ls\"}\ntoolResult!: a\\nExit Code: 2\\n\nassistant: two\n", "",
		},
		{
			"the same list again, on resuming",
			[]string{set(start), user("u1", "one"), model("g1", "two"), set(start, user("u1", "one"), `{"id":"g1","type":"gemini","content":[{"text":"think","thought":true},{"text":"two"}]}`), user("u2", "three")},
			began + "user: one\nassistant: two\nuser: three\n", "",
		},
		{
			"thinking, which is never sent again, and an answer that was nothing else",
			[]string{
				set(start), user("u1", "one"), model("g1", "two", `,"thoughts":[{"subject":"Look","description":"around"}]`), user("u2", "three"),
				`{"id":"g2","type":"gemini","content":[{"text":"think","thought":true}]}`, user("u3", "four"),
			},
			began + "user: one\nassistant: two\nuser: three\nuser: four\n", "message assistant: ~Look\\naround two",
		},
		{
			"a prompt that an error erased",
			[]string{set(start), user("u1", "one"), model("g1", "two"), user("u2", "lost"), set(start, user("u1", "one"), model("g1", "two"))},
			began + "user: one\nassistant: two\n", "message user: lost",
		},
		{"the first prompt erased", []string{set(start), user("u1", "lost"), set(start)}, began, "message user: lost"},
		{
			"a compression",
			[]string{set(start), user("u1", "one"), model("g1", "two"), set(start, user("n1", "<state_snapshot>S</state_snapshot>"), model("n2", acknowledged), user("n3", "one again")), user("u2", "three")},
			began + "user: <state_snapshot>S</state_snapshot>\nassistant: " + acknowledged + "\nuser: one again\nuser: three\n", "message assistant: two",
		},
		{
			"a call in what a compression kept, answered behind it",
			[]string{
				set(start), user("u1", "one"), model("g1", "", called("c", "a")),
				set(start, user("n1", "sum"), model("n2", acknowledged), `{"id":"n3","type":"gemini","content":[{"functionCall":{"id":"c","name":"run_shell_command","args":{}}}]}`), response("r1", "c", "a"),
			},
			began + "user: sum\nassistant: " + acknowledged + "\nassistant: run_shell_command#c{}\ntoolResult: a\n", "",
		},
		{
			"more of a message that a compression made",
			[]string{set(start), user("u1", "one"), set(start, user("n1", "sum"), model("n2", acknowledged)), model("n2", acknowledged, called("c", "a"))},
			began + "user: sum\nassistant: " + acknowledged + "\nassistant: run_shell_command#c{\"command\":\"ls\"}\ntoolResult: a\n", "",
		},
		{"taken back", []string{set(start), user("u1", "one"), model("g1", "two"), user("u2", "three"), `{"$rewindTo":"g1"}`, user("u3", "four")}, began + "user: one\nuser: four\n", "assistant: two"},
		{
			"prompts that a resume leaves out",
			[]string{
				set(start), user("u1", " /compress"), model("g1", "two"), user("u2", "?why"), `{"id":"u3","type":"user","content":"/w/a.txt: what is it"}`,
				`{"id":"u4","type":"user","content":[{"text":" "},{"text":"/see"},{"inlineData":{"mimeType":"image/png","data":"AA=="}}],"displayContent":"see"}`,
				`{"id":"u5","type":"user","content":[{"inlineData":{"mimeType":"image/png","data":"AA=="}},{"text":"/see"}]}`, `{"id":"u6","type":"user","content":{"text":"/one"}}`, user("u7", "a/b?"),
			},
			began + "assistant: two\nuser: [image] /see\nuser: a/b?\n", "message user: /w/a.txt: what is it",
		},
		{
			"prompts that a resume left out",
			[]string{set(start), user("u1", "/one"), model("g1", "two"), user("u2", "three"), set(start, model("g1", "two"), user("u2", "three")), user("u3", "four")},
			began + "assistant: two\nuser: three\nuser: four\n", "message user: /one",
		},
		{
			"prompts that a resume left out, and a compression behind it",
			[]string{set(start), user("u1", "one"), set(start, user("u2", "?two"), user("n1", "sum"), model("n2", acknowledged), user("u3", "/three")), user("u4", "four")},
			began + "user: sum\nassistant: " + acknowledged + "\nuser: four\n", "message user: one",
		},
		{
			"lines that are of two kinds",
			[]string{
				set(start), `{"id":"u1","type":"user","content":"one","$set":{"messages":[]}}`, `{"id":"u2","type":"user","content":"two","$set":5}`, `{"$set":5}`,
				`{"id":"u3","type":"user","content":"three","$patch":{"removeIds":["u1"]}}`, `{"id":"u4","$rewindTo":"u3","type":"user","content":"four"}`,
			},
			began + "user: one\nuser: two\n", "gemini.unknown",
		},
		{
			"a resume that begins with all there is",
			[]string{
				set(start), user("u1", "one"), head[:len(head)-2] + `,"messages":[` + user("u1", "one") + "," + user("u2", "two") + "]}", user("u3", "three"),
			},
			began + "user: one\nuser: two\nuser: three\n", "",
		},
		{"all taken back", []string{set(start), user("u1", "one"), `{"$rewindTo":"nobody"}`, user("u3", "four")}, "user: four\n", "user: one"},
		{
			"changes that Gemini takes for none",
			[]string{
				set(start), user("u1", "on"), `{"$rewindTo":7}`, `{"$rewindTo":null}`, user("u1", "one"), user("u2", "tw"),
				`{"$set":{"messages":null}}`, `{"$set":{"messages":{"id":"u2"}}}`, user("u2", "two"),
			},
			began + "user: one\nuser: two\n", "gemini.unknown",
		},
		{
			"a message of a list that is written again with other words",
			[]string{set(start, user("u1", "one"), model("g1", "tw")), user("u2", "three"), model("g1", "two")},
			began + "user: one\nassistant: two\nuser: three\n", "",
		},
		{
			"a list with other words in a message that was there",
			[]string{set(start), user("u1", "one"), model("g1", "tw"), user("u2", "three"), set(start, user("u1", "one"), model("g1", "two"), user("u2", "three"))},
			began + "user: one\nassistant: two\nuser: three\n", "assistant: tw",
		},
		{
			"what stayed when the rest was taken back, written again",
			[]string{set(start), user("u1", "on"), model("g1", "two"), `{"$rewindTo":"g1"}`, user("u1", "one"), user("u2", "three")},
			began + "user: one\nuser: three\n", "assistant: two",
		},
		{
			"taken back into what a compression made",
			[]string{set(start), user("u1", "one"), set(start, user("n1", "sum"), model("n2", acknowledged)), user("u2", "two"), `{"$rewindTo":"n2"}`, user("u3", "three")},
			began + "user: sum\nuser: three\n", "",
		},
		{
			"taken back to where a compression was",
			[]string{set(start), user("u1", "one"), set(start, user("n1", "sum"), model("n2", acknowledged)), user("u2", "two"), `{"$rewindTo":"u2"}`, user("u3", "three")},
			began + "user: sum\nassistant: " + acknowledged + "\nuser: three\n", "",
		},
		{
			"taken back from a result that a resume gave another id, after a compression",
			[]string{
				set(start), user("u1", "one"), set(start, user("n1", "sum"), model("n2", acknowledged)), model("g1", "", called("c", "a")), response("r1", "c", "a"), model("g2", "two"),
				set(start, user("n1", "sum"), model("n2", acknowledged), model("g1", "", called("c", "a")), response("r9", "c", "a"), model("g2", "two")), `{"$rewindTo":"r9"}`, user("u3", "three"),
			},
			began + "user: sum\nassistant: " + acknowledged + "\nassistant: run_shell_command#c{\"command\":\"ls\"}\ntoolResult: a\nuser: three\n", "",
		},
		{"another list", []string{set(start), user("u1", "one"), model("g1", "two"), set(start, user("x1", "other"))}, began + "user: other\n", "assistant: two"},
		{"what Gemini said to the user", []string{set(start), user("u1", "one"), `{"id":"i","type":"error","content":"no network"}`, `{"odd":1}`}, began + "user: one\n", "note gemini.error"},
		{
			"a file named with @",
			[]string{set(start), `{"id":"u1","type":"user","content":[{"text":"see @a.png"},{"text":"--- Content ---"},{"inlineData":{"data":"iVBORw0K","mimeType":"image/png"}}],"displayContent":[{"text":"see @a.png"}]}`},
			began + "user: see @a.png [image]\nuser: --- Content ---\n", "note gemini.context: --- Content ---",
		},
		{
			"a call that failed and gave something",
			[]string{user("u1", "one"), model("g1", "", `,"toolCalls":[{"id":"c","name":"edit","args":{},"status":"error","result":[{"functionResponse":{"id":"c","name":"edit","response":{"output":"no"}}}]}]`)},
			"user: one\nassistant: edit#c{}\ntoolResult!: no\n", "",
		},
		{
			"what a call said to be cancelled gave",
			[]string{user("u1", "one"), model("g1", "", `,"toolCalls":[{"id":"c","name":"edit","args":{},"status":"cancelled","result":[{"functionResponse":{"id":"c","name":"edit","response":{"error":"no"}}}]},{"id":"d","name":"edit","args":{},"status":"executing"}]`)},
			"user: one\nassistant: edit#c{} edit#d{}\ntoolResult!: no\ntoolResult!: [no result: interrupted]\n", "",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, r := reading(t, "session-2026-01-02T10-00-s1.jsonl", file(test.lines...))
			if got := r.Seen(t); got != test.want || !strings.Contains(r.Story(), test.story) {
				t.Errorf("got\n%swant\n%s%s", got, test.want, r.Story())
			}
		})
	}
}

func TestRecords(t *testing.T) {
	found, r := reading(t, "session-2026-01-02T10-00-s1.jsonl", file(set(start), user("u1", "# AGENTS.md instructions for /w"), user("u2", "but\nthis"),
		model("g1", "answer", `,"thoughts":[{"subject":"Look","description":"around"}],"tokens":{"input":4321,"output":57,"cached":1024,"thoughts":11,"tool":0,"total":4389}`), `{"$set":{"lastUpdated":"2026-01-02T10:05:00.000Z"}}`))
	if found.ID != "s1" || found.FirstMessage != "but this" || found.Model != "m" || found.Cwd != "/w/app" || found.UpdatedAt.Minute() != 0 || found.UpdatedAt.Second() != 2 {
		t.Errorf("%+v", found)
	}
	m := r.Records[len(r.Records)-1].Message
	if u := m.Usage; u == nil || u.Input != 3297 || u.CacheRead != 1024 || u.Output != 68 || m.Content[0].Text != "Look\naround" || !m.Content[0].Aside || m.Model != "m" {
		t.Errorf("%+v %+v", m, m.Usage)
	}
}

func TestObject(t *testing.T) {
	text := `{"sessionId":"s1","projectHash":"h","startTime":"2026-01-02T10:00:00.000Z","lastUpdated":"2026-01-02T10:09:00.000Z","messages":[` +
		strings.Join([]string{user("u1", "one"), model("g1", "", called("c", "a")), `{"id":"i","type":"info","content":"hint"}`, model("g2", "two")}, ",") + `]}`
	found, r := reading(t, "session-2026-01-02T10-00-s1.json", text)
	if found.FirstMessage != "one" || found.UpdatedAt.Minute() != 0 || found.UpdatedAt.Second() != 2 || r.Seen(t) != "user: one\nassistant: run_shell_command#c{\"command\":\"ls\"}\ntoolResult: a\nassistant: two\n" {
		t.Errorf("%+v\n%s", found, r.Story())
	}
	for at := 0; at < len(text); at += 41 {
		home := sourcetest.Home(t, map[string]string{chats + "x.json": text[:at]})
		for _, f := range sourcetest.Find(t, Source{}, sourcetest.Env(t, home)) {
			r := sourcetest.Read(t, Source{}, sourcetest.Env(t, home), f)
			if r.Err == nil && r.Damaged == 0 || at > 400 && !strings.HasPrefix(r.Seen(t), "user: one\n") {
				t.Fatalf("cut at %d: %+v, %d damaged\n%s", at, f, r.Damaged, r.Story())
			}
		}
	}
}

// TestMessagesWithoutIDs are messages.
func TestMessagesWithoutIDs(t *testing.T) {
	lines := []string{
		`{"id":null,"type":"user","content":"one"}`, `{"type":"gemini","content":"two"}`, `{"id":7,"type":"user","content":"three"}`,
		`{"id":8,"type":"gemini","content":"four","model":"m"}`, `{"id":8,"type":"gemini","content":"four, again","model":"m"}`,
	}
	const want = "user: one\nassistant: two\nuser: three\nassistant: four, again\n"
	found, r := reading(t, "session-2026-01-02T10-00-s1.jsonl", file(lines...))
	if r.Seen(t) != want || found.FirstMessage != "one" {
		t.Errorf("%+v\n%s", found, r.Story())
	}
	_, r = reading(t, "session-2026-01-02T10-00-s1.json", `{"sessionId":"s1","messages":[`+strings.Join(slices.Delete(lines, 3, 4), ",")+`]}`)
	if r.Seen(t) != want {
		t.Error(r.Story())
	}
}

// TestCopiedProjects: a session in folders of several projects is told of once, unless it went on in them.
func TestCopiedProjects(t *testing.T) {
	one, other := file(set(start), user("u1", "one")), file(set(start), user("u1", "one"), user("u2", "other"))
	early := func(messages ...string) string {
		return `{"sessionId":"s2","startTime":"2026-01-02T10:00:00Z","lastUpdated":"2026-01-02T10:00:0` + strconv.Itoa(len(messages)) + `Z","messages":[` + strings.Join(messages, ",") + `]}`
	}
	home := sourcetest.Home(t, map[string]string{
		".gemini/tmp/a/chats/session-1-s1.jsonl": one, ".gemini/tmp/b/chats/session-1-s1.jsonl": one, ".gemini/tmp/c/chats/session-1-s1.jsonl": other,
		".gemini/tmp/d/chats/session-1-s1.jsonl": file(set(start), user("u3", "three")), ".gemini/tmp/e/chats/session-1-s1.jsonl": file(set(start), user("u4", "four")),
		".gemini/tmp/a/chats/session-2-s2.json": early(user("m1", "early")), ".gemini/tmp/b/chats/session-2-s2.json": early(user("m1", "early"), user("m2", "later")),
	})
	env := sourcetest.EnvWith(t, "/nowhere", "GEMINI_CLI_HOME="+home)
	seen := map[string]bool{}
	all := sourcetest.Find(t, Source{}, env)
	for _, f := range all {
		r := sourcetest.Read(t, Source{}, env, f)
		if r.Err != nil {
			t.Errorf("%s: %v", f.ID, r.Err)
		}
		lines := r.View(t)
		seen[lines[len(lines)-1]] = true
	}
	if len(all) != 4 || !seen["user: later"] || !seen["user: other"] || !seen["user: three"] || !seen["user: four"] {
		t.Errorf("%d %v", len(all), seen)
	}
}

// TestFind: what resuming left is not told of, what is empty and subagents are, and where a project is.
func TestFind(t *testing.T) {
	sum := sha256.Sum256([]byte("/w/old"))
	old := hex.EncodeToString(sum[:])
	plain := strings.ReplaceAll(file(set(strings.Replace(start, "/w/app", "", 1)), user("u1", "one")), "**Workspace", "**")
	home := sourcetest.Home(t, map[string]string{
		chats + "session-1-s1.jsonl":                       file(set(start), user("u1", "one")),
		chats + "session-2-s1.jsonl":                       file(set(start)) + file(set(start)),
		chats + "s1/sub.jsonl":                             strings.Replace(plain, `"s1"`, `"sub"`, 1),
		chats + "session-3-s3.jsonl":                       "",
		".gemini/tmp/" + old + "/chats/session-4-s4.jsonl": strings.Replace(plain, `"s1"`, `"s4"`, 1),
		".gemini/tmp/named/chats/session-5-s5.jsonl":       strings.Replace(plain, `"s1"`, `"s5"`, 1),
		".gemini/tmp/named/.project_root":                  "/w/named\n",
		".gemini/tmp/named/logs.json":                      "[]",
		".gemini/projects.json":                            `{"projects":{"/w/old":"other","/w/app":"app"}}`,
		chats + "session-6-s1.jsonl":                       file(set(start), user("u1", "one"), user("u2", "in another file")),
	})
	env := sourcetest.EnvWith(t, "/nowhere", "GEMINI_CLI_HOME="+home)
	sourcetest.Unchanged(t, home, func() {
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		ids := slices.Sorted(maps.Keys(found))
		if len(ids) != 6 || found["session-3-s3"].Problem == "" || ids[1] != "s1@session-1-s1" && ids[1] != "s1@session-6-s1" {
			t.Fatal(ids)
		}
		if f := found["sub"]; f.Parent != "s1" || f.Relation != sources.Subagent || f.Cwd != "/w/app" {
			t.Errorf("%+v", f)
		}
		if found["s4"].Cwd != "/w/old" || found["s5"].Cwd != "/w/named" || found["s1"].Cwd != "/w/app" {
			t.Errorf("%+v", found)
		}
		delete(found, "session-3-s3")
		for id, f := range found {
			if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil || len(r.Records) < 3 {
				t.Errorf("%s: %v", id, r.Err)
			}
		}
	})
	gone := found1(t, env)
	if err := os.WriteFile(gone.Files[0], []byte(strings.Replace(file(user("u", "x")), `"s1"`, `"s9"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := sourcetest.Read(t, Source{}, env, gone); !errors.Is(r.Err, sources.ErrGone) {
		t.Error(r.Err)
	}
}

func found1(t *testing.T, env sources.Env) sources.Found {
	t.Helper()
	return sourcetest.ByID(sourcetest.Find(t, Source{}, env))["s1"]
}

// TestLongLines: a session that begins with a long line is found, and one with nothing but long contexts is not.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	deep := `{"id":"d","type":"user","content":` + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + "}"
	home := sourcetest.Home(t, map[string]string{
		chats + "a.jsonl": file(set(start), user("u1", long)),
		chats + "b.jsonl": strings.Replace(file(set(strings.Replace(start, "/w/app", long, 1))), `"s1"`, `"s2"`, 1),
		chats + "c.jsonl": strings.Replace(file(deep, user("u1", "behind what nobody can read")), `"s1"`, `"s3"`, 1),
	})
	env := sourcetest.Env(t, home)
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, []string{"s1", "s3"}) {
		t.Fatal(got)
	}
	if r := sourcetest.Read(t, Source{}, env, found["s3"]); r.Err != nil || r.Damaged != 1 || r.Seen(t) != "user: behind what nobody can read\n" {
		t.Errorf("%v, %d damaged", r.Err, r.Damaged)
	}
}

// TestSpilledOutput: only what is this session's is read.
func TestSpilledOutput(t *testing.T) {
	for path, want := range map[string]string{"/h/.gemini/tmp/app/tool-outputs/session-s1/a.txt": "whole", "/etc/passwd": "", "../../secret": ""} {
		home := sourcetest.Home(t, map[string]string{
			chats + "session-1-s1.jsonl":                    file(user("u1", "one"), model("g1", "", called("c", "cut. For full output see: "+path+"\n"))),
			".gemini/tmp/app/tool-outputs/session-s1/a.txt": "whole", ".gemini/tmp/app/secret": "secret",
		})
		env := sourcetest.Env(t, home)
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		block := r.Records[3].Message.Content[0]
		if !strings.HasPrefix(block.Text, "cut.") || string(r.Blobs[block.Blob]) != want {
			t.Errorf("%s: %+v", path, block)
		}
	}
}

// TestSpilledIsReadOnce, however many results name it.
func TestSpilledIsReadOnce(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		chats + "session-1-s1.jsonl": file(lineUp(3, result("cut. For full output see: /h/a.txt\n"))...), ".gemini/tmp/app/tool-outputs/session-s1/a.txt": "whole",
	})
	env := sourcetest.Env(t, home)
	read := 0
	log := sources.NewLog("gemini", "s1", io.Discard, func([]byte) (string, error) { read++; return "sha", nil })
	if err := (Source{}).Read(t.Context(), env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)), log); err != nil || read != 1 {
		t.Errorf("%d times, %v", read, err)
	}
}

// TestSpilledTooLong: that the whole of an output is too long to be read is told.
func TestSpilledTooLong(t *testing.T) {
	const spilled = ".gemini/tmp/app/tool-outputs/session-s1/a.txt"
	home := sourcetest.Home(t, map[string]string{
		chats + "session-1-s1.jsonl": file(user("u1", "one"), model("g1", "", called("c", "cut. For full output see: /h/"+spilled+"\n"))), spilled: "whole",
	})
	sourcetest.Stretch(t, filepath.Join(home, spilled), 65<<20)
	env := sourcetest.Env(t, home)
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if r.Overlong() != "a.txt: output of 68157440" || !strings.Contains(r.Seen(t), "toolResult: cut.") {
		t.Errorf("%q, %s", r.Overlong(), r.Seen(t))
	}
}

// TestSpilledUnreadable: so it is told that it can't be read.
func TestSpilledUnreadable(t *testing.T) {
	const folder = ".gemini/tmp/app/tool-outputs/session-s1/"
	home := sourcetest.Home(t, map[string]string{
		chats + "session-1-s1.jsonl": file(user("u1", "one"), model("g1", "", called("c", "cut. For full output see: /h/a.txt\n"))), folder + "b.txt": "other",
	})
	if err := os.Symlink("a.txt", filepath.Join(home, folder, "a.txt")); err != nil {
		t.Skip(err)
	}
	env := sourcetest.Env(t, home)
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if r.Damaged != 1 || !strings.Contains(string(r.Log), "[left out: the whole of the output a.txt can't be read: ") || !strings.Contains(r.Seen(t), "toolResult: cut.") {
		t.Errorf("%s", r.Log)
	}
}

func TestSurvives(t *testing.T) {
	lines := []string{set(start), user("u1", "one"), model("g1", "", called("c", "a")), response("r1", "c", "a"), set(start, user("n1", "sum"), model("n2", acknowledged)), patch(`"id":"n1"`, `"content":"other"`, ids("removeIds", "n2")), `{"$rewindTo":"n1"}`}
	sourcetest.Survives(t, Source{}, sourcetest.Home(t, map[string]string{
		chats + "session-1-s1.jsonl": file(lines...), chats + "session-2-s2.json": `{"sessionId":"s2","messages":[` + user("u1", "one") + `]}`,
		project + "checkpoint-a.json": history, project + "checkpoint-b.json": `{"history":` + history + `}`,
		".gemini/projects.json": `{"projects":{"/w":"app"}}`,
	}))
}

func TestSamplesSurvive(t *testing.T) {
	sourcetest.SurvivesSome(t, Source{}, sourcetest.Samples(t, "gemini-")[0], 12)
}

func TestSamples(t *testing.T) {
	if n := sourcetest.CheckSamples(t, Source{}, "gemini-"); n < 4 {
		t.Errorf("only %d sessions", n)
	}
}

// TestSampleContext holds the model's view of a real session against what was read by eye: two compressions, three resumes.
func TestSampleContext(t *testing.T) {
	env := sourcetest.Env(t, sourcetest.Samples(t, "gemini-0.61.0")[0])
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	long, erased := found["b75bfe35-bca8-4ac6-bafa-69fc8e1a6242"], found["0a5fb859-b570-48fa-9486-0f8e7bad9bc4"]
	if len(found) != 4 || filepath.Base(long.Files[0]) != "session-2026-11-21T01-46-b75bfe35.jsonl" || erased.FirstMessage != "ERR500 please" {
		t.Errorf("%+v", found)
	}
	r := sourcetest.Read(t, Source{}, env, long)
	compactions, failures := 0, 0
	for _, rec := range r.Records {
		if rec.Compaction != nil {
			compactions++
		}
		if rec.Message != nil && rec.Message.IsError {
			failures++
		}
	}
	if seen := r.Context(t).Messages; compactions != 2 || failures != 1 || len(seen) != 6 {
		t.Errorf("%d compactions, %d failures\n%s%s", compactions, failures, r.Seen(t), r.Story())
	}
	if r := sourcetest.Read(t, Source{}, env, erased); strings.Contains(r.Seen(t), "ERR500") || !strings.Contains(r.Story(), "message user: ERR500 please") {
		t.Error(r.Story())
	}
}

func TestCapabilities(t *testing.T) { sourcetest.CheckCapabilities(t, Source{}.Capabilities()) }

func FuzzRead(f *testing.F) {
	f.Add([]byte(file(set(start), user("u1", "one"), model("g1", "", called("c", "a")), set(start, user("n1", "sum"), model("n2", acknowledged)), `{"$rewindTo":"n2"}`, user("u2", "x"), patch(updates(`{"id":"u2","content":"y"}`), ids("removeIds", "u1")))))
	path := filepath.Join(f.TempDir(), "session-1-s1.jsonl")
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		log := sources.NewLog("gemini", "s1", &out, func([]byte) (string, error) { return "sha", nil })
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := jsonl.Follow(t.Context(), path, log, newReader(nil, "s1").steps(path)); err != nil && !errors.Is(err, sources.ErrGone) {
			t.Fatal(err)
		}
		if log.Err() != nil {
			t.Fatal(log.Err())
		}
		(&sourcetest.Reading{Log: out.Bytes()}).Context(t)
	})
}

// TestRewindIntoACompression: what is taken back of a compressed conversation is no compaction of Gemini's.
func TestRewindIntoACompression(t *testing.T) {
	_, r := reading(t, "session-1.jsonl", file(set(start), user("u1", "one"), set(start, user("n1", "sum"), model("n2", acknowledged)), `{"$rewindTo":"n2"}`))
	if got, want := r.Triggers(), []string{"unknown", record.TriggerEdit}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
