package gemini

import (
	"path/filepath"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestFilesAreRemembered: what files told is known to the next list, with the directories that projects are known to be in by then.
func TestFilesAreRemembered(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "w")
	at := ".gemini/tmp/" + hashOf(dir) + "/"
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
		at + "chats/session-1-s1.jsonl": file(user("u1", "one")), at + "chats/session-2-s2.jsonl": file(set(start)), at + "checkpoint-a.json": `[{"role":"user","parts":[{"text":"two"}]}]`,
	}))
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "found"), "1")
	ids := func(cwd string) {
		t.Helper()
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		one, two := found["s1"], found["checkpoint-a@"+hashOf(dir)[:12]]
		if len(found) != 2 || one.FirstMessage != "one" || one.Cwd != cwd || two.FirstMessage != "two" || two.Cwd != cwd {
			t.Errorf("%+v", found)
		}
	}
	ids("")
	for name, agent := range map[string]string{"chats/session-1-s1.jsonl": "gemini", "chats/session-2-s2.jsonl": "gemini", "checkpoint-a.json": "gemini saved"} {
		if _, known := env.Memory.Known(agent, filepath.Join(env.Home, filepath.FromSlash(at+name))); !known {
			t.Errorf("%s would be read anew", name)
		}
	}
	ids("")
	sourcetest.Write(t, env.Home, at+".project_root", dir)
	ids(dir)
}
