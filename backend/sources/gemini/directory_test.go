package gemini

import (
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestKnownDirectories: whatever names a directory tells which project a folder with its hash is of: another session in it, the folders that
// Gemini was told to trust, or that it is the home directory.
func TestKnownDirectories(t *testing.T) {
	const dir, said = "/w/app", `{"sessionId":"s1","messages":[{"id":"u1","type":"user","content":"one"}]}`
	in := func(dir string) string { return ".gemini/tmp/" + hashOf(dir) + "/chats/session-1-s1.json" }
	t.Run("sibling", func(t *testing.T) {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
			in(dir): said,
			".gemini/tmp/" + hashOf(dir) + "/chats/session-2-s2.json": `{"sessionId":"s2","messages":[{"id":"u1","type":"user","content":"two"},` +
				`{"id":"g1","type":"gemini","content":"","toolCalls":[{"id":"c","name":"read_file","args":{"path":"/w/app/a.go"}}]}]}`,
		}))
		for id, f := range sourcetest.ByID(sourcetest.Find(t, Source{}, env)) {
			if f.Cwd != dir {
				t.Errorf("%s: %q", id, f.Cwd)
			}
		}
	})
	t.Run("trusted", func(t *testing.T) {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{in(dir): said, ".gemini/trustedFolders.json": `{"/w":"TRUST_FOLDER","/w/app":"DO_NOT_TRUST"}`}))
		if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); f.Cwd != dir {
			t.Errorf("%q", f.Cwd)
		}
	})
	t.Run("trusted elsewhere", func(t *testing.T) {
		home := sourcetest.Home(t, map[string]string{in(dir): said, "trusted.json": `{"/w/app":"TRUST_FOLDER"}`})
		env := sourcetest.EnvWith(t, home, "GEMINI_CLI_TRUSTED_FOLDERS_PATH="+home+"/trusted.json")
		if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); f.Cwd != dir {
			t.Errorf("%q", f.Cwd)
		}
	})
	t.Run("home", func(t *testing.T) {
		home := t.TempDir()
		sourcetest.Write(t, home, in(home), said)
		if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home))); f.Cwd != home {
			t.Errorf("%q", f.Cwd)
		}
	})
}
