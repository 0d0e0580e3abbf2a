package opencode

import (
	"fmt"
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

// TestCopyInAnotherFolder: the file that is called as the session is its own, in however many folders others are.
func TestCopyInAnotherFolder(t *testing.T) {
	const storage = ".local/share/opencode/storage/session/"
	files := map[string]string{}
	for n := range foldersMost + 6 {
		files[fmt.Sprintf("%sp%03d/other_%d.json", storage, n, n)] = fmt.Sprintf(`{"id":"other_%d","title":"O","time":{"created":1}}`, n)
	}
	files[storage+"p000/backup.json"] = `{"id":"ses_1","title":"copy","time":{"created":1767348000000}}`
	files[storage+"p069/ses_1.json"] = `{"id":"ses_1","title":"own","time":{"created":1767348000000}}`
	for _, f := range sourcetest.Find(t, Source{}, sourcetest.Env(t, sourcetest.Home(t, files))) {
		if f.ID == "ses_1" && f.Title != "own" {
			t.Errorf("%+v", f)
		}
	}
}
