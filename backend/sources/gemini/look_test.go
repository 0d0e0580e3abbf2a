package gemini

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestSubagentUnderItsParentsID: a sub-agent whose file names the session that started it has its file's name for an id, and that one its own.
func TestSubagentUnderItsParentsID(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		chats + "session-1-s1.jsonl": file(set(start), user("u1", "asked")),
		chats + "s1/sub.jsonl":       file(user("u1", "given")),
	})
	env := sourcetest.Env(t, home)
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	main, sub := found["s1"], found["sub"]
	if len(found) != 2 || main.FirstMessage != "asked" || main.Parent != "" || sub.FirstMessage != "given" || sub.Parent != "s1" || sub.Relation != sources.Subagent {
		t.Fatalf("%+v", found)
	}
	for _, f := range found {
		if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil {
			t.Errorf("%s: %v", f.ID, r.Err)
		}
	}
}

// TestBehindMessages: what an object of an early version has behind its messages is found in a long one, too.
func TestBehindMessages(t *testing.T) {
	for _, long := range []int{10, 200 << 10} {
		text := "{\n  \"sessionId\": \"s1\",\n  \"messages\": [\n    " + user("u1", "one") + ",\n    " + user("u2", strings.Repeat("x ", long)) + ",\n    " +
			user("u3", `  ], "summary": "typed"`) + "\n  ],\n  \"summary\": \"Look around\",\n  \"directories\": [\n    \"/w\"\n  ],\n  \"kind\": \"main\"\n}"
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{chats + "session-1-s1.json": text}))
		if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); f.Title != "Look around" || f.FirstMessage != "one" || f.ID != "s1" {
			t.Errorf("%+v", f)
		}
	}
}

// TestNamedLater: the name that a long session got last is its title.
func TestNamedLater(t *testing.T) {
	long := user("u2", strings.Repeat("x ", 200<<10))
	text := file(user("u1", "one"), `{"$set":{"summary":"First"}}`, long, `{"$set":{"summary":"Second"}}`, `{"$set":{"summary":"Third"}}`, user("u3", "three"))
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{chats + "session-1-s1.jsonl": text}))
	if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); f.Title != "Third" {
		t.Errorf("%q", f.Title)
	}
}

// TestDirectoryByItsHash: the directory of a project that nothing names is one that has the hash which the project's folder is called by, and
// is above a file that a tool was called with.
func TestDirectoryByItsHash(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "w", "app")
	for file, want := range map[string]string{filepath.Join(dir, "src", "a.go"): dir, dir: dir, "/elsewhere/a.go": "", "src/a.go": ""} {
		text := fmt.Sprintf(`{"sessionId":"s1","messages":[%s,{"id":"g1","type":"gemini","content":"","model":"m","toolCalls":[{"id":"c","name":"read_file","args":{"limit":5,"path":%q}}]}]}`, user("u1", "one"), file)
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{".gemini/tmp/" + hashOf(dir) + "/chats/session-1-s1.json": text}))
		if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); f.Cwd != want || f.FirstMessage != "one" {
			t.Errorf("%s: %+v", file, f)
		}
	}
}

// TestHooks: what a hook puts before a conversation or behind a prompt is none of the user's.
func TestHooks(t *testing.T) {
	const put = "<hook_context>remember this</hook_context>"
	prompt := `{"id":"u2","type":"user","content":[{"text":"one"},{"text":"` + put + `"}]}`
	found, r := reading(t, "session-1-s1.jsonl", file(set(start), user("u1", put), prompt, model("g1", "two")))
	const want = "note gemini.context: " + put + "\n4 message user: one\n5 note gemini.context: " + put + "\n6 message assistant: two\n"
	if found.FirstMessage != "one" || !strings.Contains(r.Story(), want) || !strings.Contains(r.Seen(t), "user: "+put+"\n") {
		t.Errorf("%q\n%s", found.FirstMessage, r.Story())
	}
}
