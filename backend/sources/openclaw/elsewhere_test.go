package openclaw

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestStoreElsewhere: settings of an earlier name may name a folder, which then has the database, too.
func TestStoreElsewhere(t *testing.T) {
	home := t.TempDir()
	made := database(t, home, text("1 - "+user("in the database")))
	if err := os.Rename(filepath.Dir(made), filepath.Join(home, "store")); err != nil {
		t.Fatal(err)
	}
	sourcetest.Write(t, home, "store/s2.jsonl", as("s2", text("1 - "+user("in a file"))))
	sourcetest.Write(t, home, ".clawdbot/clawdbot.json", `{session: {store: "~/store/sessions.json"}} // JSON5`)
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, sourcetest.Env(t, home)))
	if len(found) != 2 || found["s1"].FirstMessage != "in the database" || found["s2"].FirstMessage != "in a file" {
		t.Errorf("%+v", found)
	}
}

// TestMended: what OpenClaw kept of a file that was damaged at its beginning is the session only where the mended one is gone.
func TestMended(t *testing.T) {
	const copied = "s1.jsonl.corrupt-2026-01-02T10-00-00-000Z-0a1b2c3d.jsonl"
	whole := text("1 - " + user("one"))
	for name, files := range map[string]map[string]string{
		"both":         {sessionsDir + "s1.jsonl": whole, sessionsDir + copied: "rubbish\n" + strings.SplitN(whole, "\n", 2)[1]},
		"the copy":     {sessionsDir + copied: "rubbish\n" + strings.SplitN(whole, "\n", 2)[1]},
		"with an id":   {sessionsDir + "s1.jsonl": whole, sessionsDir + copied: "rubbish\n" + whole},
		"without both": {sessionsDir + copied: "rubbish\n" + whole},
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, files))
		f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		if r := sourcetest.Read(t, Source{}, env, f); f.ID != "s1" || r.Err != nil || r.Seen(t) != "user: one\n" {
			t.Errorf("%s: %+v %v\n%s", name, f, r.Err, r.Story())
		}
	}
}
