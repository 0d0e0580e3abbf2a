package gemini

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// history is what the API takes: a context, a prompt, a call of each of two kinds with its result, and an answer.
const history = `[
  {"role":"user","parts":[{"text":"This is the Gemini CLI. We are setting up the context for our chat.\nI'm currently working in the directory: /w/old\n"}]},
  {"role":"model","parts":[{"text":"Got it. Thanks for the context!"}]},
  {"role":"user","parts":[{"text":"one"},{"inlineData":{"mimeType":"image/png","data":"iVBORw0K"}}]},
  {"role":"model","parts":[{"thought":true,"text":"hm"},{"functionCall":{"name":"ls","args":{"path":"a"}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"x"}}}]},
  {"role":"model","parts":[{"functionCall":{"name":"ls","args":{"path":"b"}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"error":"no"}}}]},
  {"id":"t7","content":{"role":"model","parts":[{"text":"two"}]}}
]`

const savedSeen = `user: This is the Gemini CLI. We are setting up the context for our chat.\nI'm currently working…` + "\n" +
	"assistant: Got it. Thanks for the context!\nuser: one [image]\nassistant: ls#ls{\"path\":\"a\"}\ntoolResult: x\nassistant: ls#ls{\"path\":\"b\"}\ntoolResult!: no\nassistant: two\n"

const project = ".gemini/tmp/app/"

// TestSaved: both forms that a conversation was saved in, whatever its name.
func TestSaved(t *testing.T) {
	for name, text := range map[string]string{
		"checkpoint-my%20plan%2F1.json": `{"history":` + history + `,"authType":"oauth-personal"}`, "checkpoint-my plan.json": history, "checkpoint.json": "\xEF\xBB\xBF" + history,
	} {
		home := sourcetest.Home(t, map[string]string{project + name: text, project + "logs.json": "[]", project + "checkpoints/x.json": history})
		env := sourcetest.Env(t, home)
		f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		r := sourcetest.Read(t, Source{}, env, f)
		if f.FirstMessage != "one" || f.Cwd != "/w/old" || f.ID != strings.TrimSuffix(name, ".json")+"@app" || f.Parent != "" || f.UpdatedAt.IsZero() || !f.CreatedAt.IsZero() {
			t.Errorf("%+v", f)
		}
		if want := map[bool]string{true: "my plan/1"}[strings.Contains(name, "%2F")]; want != "" && f.Title != want {
			t.Errorf("%q", f.Title)
		}
		if got := r.Seen(t); r.Err != nil || r.Damaged > 0 || got != savedSeen {
			t.Errorf("%s: %v, %d damaged\n%s", name, r.Err, r.Damaged, got)
		}
	}
}

// TestSavedFrom: the session is known by its beginning, if no other has the same, and what both hold is marked.
func TestSavedFrom(t *testing.T) {
	files := map[string]string{
		chats + "session-1-s1.jsonl":  file(set(start), user("u1", "one"), model("g1", "two")),
		chats + "session-2-s2.jsonl":  strings.Replace(file(set(start), user("u1", "other")), `"s1"`, `"s2"`, 1),
		project + "checkpoint-a.json": history, ".gemini/tmp/other/checkpoint-a.json": history,
	}
	env := sourcetest.Env(t, sourcetest.Home(t, files))
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	here, there := found["checkpoint-a@app"], found["checkpoint-a@other"]
	if len(found) != 4 || here.Parent != "s1" || here.Relation != sources.Fork || there.Parent != "" {
		t.Fatalf("%+v", found)
	}
	for _, f := range []sources.Found{here, there} {
		log := string(sourcetest.Read(t, Source{}, env, f).Log)
		if strings.Contains(log, `"copied":true`) != (f.Parent != "") {
			t.Error(log)
		}
	}
	files[chats+"session-3-s3.jsonl"] = strings.Replace(file(set(start), user("u1", "one")), `"s1"`, `"s3"`, 1)
	env = sourcetest.Env(t, sourcetest.Home(t, files))
	if f := sourcetest.ByID(sourcetest.Find(t, Source{}, env))["checkpoint-a@app"]; f.Parent != "" {
		t.Errorf("%+v", f)
	}
}

// TestSavedProblems: what is none is told with why, and an empty one is not told.
func TestSavedProblems(t *testing.T) {
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
		project + "checkpoint-a.json": `{"history":[]}`, project + "checkpoint-b.json": `{"other":1}`, project + "checkpoint-c.json": "",
		project + "checkpoint-d.json": `{"history":[{"role":"user","parts":[{"text":"one"}]},{"role":"mod`, project + "checkpoint-e.json": `{"hist`,
	}))
	var told []string
	for _, f := range sourcetest.Find(t, Source{}, env) {
		r := sourcetest.Read(t, Source{}, env, f)
		told = append(told, f.Title+" "+f.Problem)
		if f.Title == "d" && (r.Damaged == 0 || r.Seen(t) != "user: one\n") {
			t.Errorf("%d damaged\n%s", r.Damaged, r.Story())
		}
	}
	slices.Sort(told)
	if want := []string{
		"b The file holds no conversation in a form that is known here.", "c The file is empty.", "d ", "e The file is no text of JSON: damaged, or written by something else.",
	}; !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}
}

func FuzzSaved(f *testing.F) {
	f.Add([]byte(history))
	f.Add([]byte(`{"history":` + history + `}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		r := newReader(sources.NewLog("gemini", "s1", &out, func([]byte) (string, error) { return "sha", nil }), "s1")
		err := r.saved(bytes.NewReader(data))
		if r.log.Err() != nil {
			t.Fatal(r.log.Err())
		}
		if seen := (&sourcetest.Reading{Log: out.Bytes()}).Context(t); err != nil && len(seen.Messages) > 0 {
			t.Fatal(err)
		}
	})
}
