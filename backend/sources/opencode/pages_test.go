package opencode

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestDamagedPages: where a page with rows of parts is damaged every session is listed all the same, and only those that have something
// there can't be read to their end.
func TestDamagedPages(t *testing.T) {
	const sessions, page, leaf = 12, 4096, 0x0D
	var all []conversation
	for n := range sessions {
		c := chat([]string{
			fmt.Sprintf(`{"id":"msg_%02d","role":"user","time":{"created":1}}`, n),
			fmt.Sprintf(`{"id":"prt_%02d","type":"text","text":"%s"}`, n, strings.Repeat("word ", 200)),
		})
		c.session = strings.Replace(c.session, "ses_2", fmt.Sprintf("ses_%02d", n), 1)
		all = append(all, c)
	}
	home := t.TempDir()
	path := database(t, home, "opencode.db", all...)
	change(t, path, "CREATE INDEX m ON message(session_id)", "CREATE INDEX p ON part(message_id)")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	env := sourcetest.Env(t, home)
	harmed := 0
	for at := page; at < len(whole); at += page {
		if whole[at] != leaf || !bytes.Contains(whole[at:at+page], []byte(`"text":"word`)) {
			continue
		}
		harmed++
		data := bytes.Clone(whole)
		clear(data[at : at+page])
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		found, bad := sourcetest.Find(t, Source{}, env), 0
		for _, f := range found {
			if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil || r.Damaged > 0 {
				bad++
			} else if r.Story() == "" {
				t.Errorf("%s has lost what it said, and nothing is told", f.ID)
			}
		}
		if len(found) != sessions || bad != bytes.Count(whole[at:at+page], []byte(`"text":"word`)) {
			t.Errorf("the page at %d: %d found, %d damaged", at, len(found), bad)
		}
	}
	if harmed < 2 {
		t.Fatal("no such pages")
	}
}
