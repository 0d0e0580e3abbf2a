package pi

import (
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestHeaderWithoutAnID: a session whose header names none is called as its file is, and is read.
func TestHeaderWithoutAnID(t *testing.T) {
	for _, id := range []string{"", `"id":"",`, `"id":7,`, `"id":null,`, `"id":{},`} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
			place: `{"type":"session","version":3,` + id + `"timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}` + "\n" +
				`{"type":"message","id":"1","parentId":null,"timestamp":"2026-01-02T10:00:01Z","message":{"role":"user","content":"one"}}` + "\n",
		}))
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		if r := sourcetest.Read(t, Source{}, env, found); found.ID != "s1" || found.Cwd != "/w" || r.Err != nil || r.Damaged > 0 || len(r.View(t)) != 1 {
			t.Errorf("%s: %+v, %v, %s", id, found, r.Err, r.Story())
		}
	}
}
