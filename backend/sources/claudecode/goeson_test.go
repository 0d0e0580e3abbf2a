package claudecode

import (
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestGoesOn: a session whose first row hangs below one that another file ends with goes on from that, by either of two members.
func TestGoesOn(t *testing.T) {
	const a, b, c, d = "11110001-0000-4000-8000-000000000000", "11110002-0000-4000-8000-000000000000", "11110003-0000-4000-8000-000000000000", "11110004-0000-4000-8000-000000000000"
	row := func(session, uuid, parent, kind string) string {
		return `{"type":"` + kind + `","uuid":"` + uuid + `","parentUuid":` + parent + `,"sessionId":"` + session + `","timestamp":"2026-11-20T10:10:00.000Z","cwd":"/w","message":{"role":"` + kind + `","content":"` + uuid + `"}}` + "\n"
	}
	in := func(session string) string { return ".claude/projects/-w/" + session + ".jsonl" }
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
		in(a): row(a, "a1", "null", "user") + row(a, "a2", `"a1"`, "assistant"),
		in(b): row(b, "b1", `"a2"`, "user") + row(b, "b2", `"b1"`, "assistant"),
		in(c): `{"type":"system","subtype":"compact_boundary","uuid":"c0","parentUuid":null,"logicalParentUuid":"b2","sessionId":"` + c + `","timestamp":"2026-11-20T10:10:00.000Z"}` + "\n" + row(c, "c1", `"c0"`, "user"),
		in(d): row(d, "d1", `"nowhere"`, "user"),
	}))
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "told"), "")
	for range 2 { // the second time from memory
		got := map[string]string{}
		for _, f := range sourcetest.Find(t, Source{}, env) {
			got[f.ID] = f.Parent
			if f.Parent != "" && f.Relation != sources.Continuation {
				t.Errorf("%s: %s", f.ID, f.Relation)
			}
			if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil || len(r.View(t)) == 0 {
				t.Errorf("%s: %v, %s", f.ID, r.Err, strings.Join(r.View(t), "; "))
			}
		}
		if len(got) != 4 || got[a] != "" || got[b] != a || got[c] != b || got[d] != "" {
			t.Errorf("%v", got)
		}
	}
}
