package opencode

import (
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestRenamedFile: a session's file that was given another name has the records of the session, and a copy of it hides none of them.
func TestRenamedFile(t *testing.T) {
	const storage = ".local/share/opencode/storage/"
	const session = `{"id":"ses_1","projectID":"p","directory":"/w","title":"T","time":{"created":1767348000000,"updated":1767348060000}}`
	records := map[string]string{
		storage + "message/ses_1/msg_1.json": `{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1767348000000}}`,
		storage + "part/msg_1/prt_1.json":    `{"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"one"}`,
	}
	for name, names := range map[string][]string{"a copy": {"ses_1.json", "ses_1 copy.json"}, "renamed": {"backup.json"}} {
		home := sourcetest.Home(t, records)
		for _, file := range names {
			sourcetest.Write(t, home, storage+"session/p/"+file, session)
		}
		env := sourcetest.Env(t, home)
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		said, err := sources.Said(t.Context(), Source{}, env, found)
		if found.ID != "ses_1" || found.FirstMessage != "one" || err != nil || len(said) != 1 || len(Source{}.Beside(t.Context(), env, found)) != 2 || strings.Contains(found.Files[0], "copy") {
			t.Errorf("%s: %+v, %q, %v", name, found, said, err)
		}
	}
}
