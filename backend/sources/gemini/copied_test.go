package gemini

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestSavedInBothFolders: what was saved stands in the folder with the hash of the project and in the one with its name. It is told of
// once, as long as one is the beginning of the other, by an id that does not change when Gemini gives the project its name.
func TestSavedInBothFolders(t *testing.T) {
	hash := hashOf("/w/app")
	old, now := ".gemini/tmp/"+hash+"/checkpoint-a.json", ".gemini/tmp/app/checkpoint-a.json"
	id := "checkpoint-a@" + hash[:12]
	more := strings.TrimSuffix(history, "\n]") + `,{"role":"user","parts":[{"text":"three"}]}]`
	other := `[{"role":"user","parts":[{"text":"something else"}]}]`
	for name, c := range map[string]struct {
		old, now string
		want     map[string]string // the file by id, with ~ for one that was made
	}{
		"before":         {old: history, want: map[string]string{id: old}},
		"only the new":   {now: history, want: map[string]string{id: now}},
		"the same":       {old: history, now: history, want: map[string]string{id: now}},
		"another form":   {old: history, now: `{"history": ` + strings.ReplaceAll(history, `":`, `": `) + `,"authType":"x"}`, want: map[string]string{id: now}},
		"went on":        {old: history, now: more, want: map[string]string{id: now}},
		"went on before": {old: more, now: history, want: map[string]string{id: old}},
		"diverged":       {old: more, now: other, want: map[string]string{id: now, "~": old}},
		"a damaged one":  {old: history, now: "{", want: map[string]string{id: old, "~": now}},
	} {
		files := map[string]string{".gemini/projects.json": `{"projects":{"/w/app":"app"}}`}
		for path, text := range map[string]string{old: c.old, now: c.now} {
			if text != "" {
				files[path] = text
			}
		}
		env := sourcetest.Env(t, sourcetest.Home(t, files))
		all := sourcetest.Find(t, Source{}, env)
		if len(all) != len(c.want) {
			t.Errorf("%s: %+v", name, all)
		}
		for _, f := range all {
			want := c.want[f.ID]
			if want == "" && strings.HasPrefix(f.ID, id+"@") {
				want = c.want["~"]
			}
			if want == "" || !strings.HasSuffix(filepath.ToSlash(f.Files[0]), want) || f.Cwd == "" && f.Problem == "" {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

// TestSavedFromAnotherFolder: the session that a conversation was saved from is known though it stands under the project's other name.
func TestSavedFromAnotherFolder(t *testing.T) {
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
		".gemini/projects.json":                                  `{"projects":{"/w/app":"app"}}`,
		".gemini/tmp/" + hashOf("/w/app") + "/checkpoint-a.json": history,
		chats + "session-1-s1.jsonl":                             file(set(start), user("u1", "one"), model("g1", "two")),
	}))
	for _, f := range sourcetest.Find(t, Source{}, env) {
		if f.ID != "s1" && (f.Parent != "s1" || f.Relation != sources.Fork) {
			t.Errorf("%+v", f)
		}
	}
}

// TestCopyOfAnotherName: a file that somebody copied beside the other is no session of its own while it is the same.
func TestCopyOfAnotherName(t *testing.T) {
	text := file(set(start), user("u1", "one"), model("g1", "two"))
	for other, want := range map[string]int{text: 1, text + user("u2", "three") + "\n": 2, "": 2} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{chats + "session-1-s1.jsonl": text, chats + "session-1-s1 copy.jsonl": other}))
		if found := sourcetest.Find(t, Source{}, env); len(found) != want {
			t.Errorf("%d bytes: %+v", len(other), found)
		}
	}
}

// TestIDsStay: of two files in which one session went on apart each keeps its id, whichever is written to next.
func TestIDsStay(t *testing.T) {
	line := func(id, text string) string {
		return fmt.Sprintf(`{"id":"%s","timestamp":"2026-01-02T10:00:0%sZ","type":"user","content":"%s"}`+"\n", id, id, text)
	}
	head := `{"sessionId":"s1","startTime":"2026-01-02T10:00:00.000Z","kind":"main"}` + "\n" + line("1", "one")
	const first, second = ".gemini/tmp/app/chats/session-1-s1.jsonl", ".gemini/tmp/app/chats/session-2-s1.jsonl"
	files := map[string]string{first: head + line("2", "two"), second: head + line("3", "three")}
	for i, more := range []string{second, first, second} {
		files[more] += line(fmt.Sprint(4+i), "more")
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, sourcetest.Env(t, sourcetest.Home(t, files))))
		for id, path := range map[string]string{"s1": first, "s1@session-2-s1": second} {
			if f := found[id]; len(f.Files) != 1 || filepath.Base(f.Files[0]) != filepath.Base(path) {
				t.Errorf("%s is %q", id, f.Files)
			}
		}
	}
}

// TestTakenOver: of a session of an early version that was resumed by a later one the old file is left out, unless it has something that
// the new one has not.
func TestTakenOver(t *testing.T) {
	old := func(messages ...string) string {
		return `{"sessionId":"s1","projectHash":"h","startTime":"2026-01-02T10:00:00.000Z","messages":[` + strings.Join(messages, ",") + `]}`
	}
	now := file(user("u1", "one"), model("g1", "two"), user("u2", "three"))
	for name, c := range map[string]struct {
		old  string
		want int
	}{
		"all of it": {old(user("u1", "one"), model("g1", "two")), 1}, "went on there": {old(user("u1", "one"), model("g1", "two"), user("u9", "nine")), 2},
		"without ids": {old(`{"type":"user","content":"one"}`), 2}, "another": {old(user("x1", "one")), 2},
	} {
		home := sourcetest.Home(t, map[string]string{chats + "session-1-s1.json": c.old, chats + "session-1-s1.jsonl": now})
		env := sourcetest.Env(t, home)
		env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "told"), "test")
		for range 2 {
			found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
			if len(found) != c.want || filepath.Ext(found["s1"].Files[0]) != ".jsonl" {
				t.Errorf("%s: %+v", name, found)
			}
		}
		sourcetest.Write(t, home, chats+"session-1-s1.json", old(user("u1", "one"), model("g1", "two"), user("u2", "three"), user("u8", "an older version went on")))
		if found := sourcetest.Find(t, Source{}, env); len(found) != 2 {
			t.Errorf("%s, and then went on: %+v", name, found)
		}
	}
}

// TestSubagentBeside: some versions put a subagent beside the session that started it, with its id.
func TestSubagentBeside(t *testing.T) {
	beside := `{"sessionId":"s1","kind":"subagent","messages":[` + user("a1", "look into it") + `]}`
	alone := strings.Replace(beside, `"s1"`, `"s2"`, 1)
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
		chats + "session-1-s1.json": `{"sessionId":"s1","kind":"main","messages":[` + user("u1", "one") + `]}`, chats + "session-2-s1.json": beside, chats + "session-3-s2.json": alone,
	}))
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	if f := found["session-2-s1"]; len(found) != 3 || f.Parent != "s1" || f.Relation != sources.Subagent || f.FirstMessage != "look into it" || found["s1"].FirstMessage != "one" || found["s2"].Relation != "" {
		t.Errorf("%+v", found)
	}
	for id, want := range map[string]string{"s1": "user: one\n", "session-2-s1": "user: look into it\n", "s2": "user: look into it\n"} {
		if r := sourcetest.Read(t, Source{}, env, found[id]); r.Err != nil || r.Seen(t) != want {
			t.Errorf("%s: %v\n%s", id, r.Err, r.Story())
		}
	}
}
