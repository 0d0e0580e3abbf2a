package opencode

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

const cutSessions, cutMessages = 12, 5

// cutDatabase has sessions of short and long messages, one after the other.
func cutDatabase(t *testing.T, home string) string {
	t.Helper()
	var all []conversation
	for n := range cutSessions {
		var messages [][]string
		for m := range cutMessages {
			text := fmt.Sprintf("Said %d in %d. %s", m, n, strings.Repeat("word ", 40+m%2*1500))
			messages = append(messages, asked(n*cutMessages+m, text))
		}
		c := chat(messages...)
		c.session = strings.Replace(c.session, "ses_2", fmt.Sprintf("ses_%02d", n), 1)
		all = append(all, c)
	}
	path := database(t, home, "opencode.db", all...)
	change(t, path, "CREATE INDEX m ON message(session_id, time_created, id)", "CREATE INDEX p ON part(message_id, id)") // which go first
	return path
}

// TestCutDatabase: of a database whose end is missing what is left is shown, that it was cut is told, and so is what each session lacks.
func TestCutDatabase(t *testing.T) {
	const page = 4096
	home := t.TempDir()
	path := cutDatabase(t, home)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	env := sourcetest.Env(t, home)
	said, kept := 0, 0
	for size := len(whole) - page/2; size > page; size -= 6 * page {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		if size > len(whole)/3 && !strings.Contains(found["opencode.db"].Problem, "was cut") {
			t.Fatalf("%d of %d bytes: %+v", size, len(whole), found["opencode.db"])
		}
		for n := range cutSessions {
			f, listed := found[fmt.Sprintf("ses_%02d", n)]
			if !listed {
				continue // that the file was cut is told
			}
			r := sourcetest.Read(t, Source{}, env, f)
			for m := range cutMessages {
				text := fmt.Sprintf("Said %d in %d. ", m, n)
				shown := bytes.Contains(r.Log, []byte(text))
				if !shown && r.Err == nil && r.Damaged == 0 {
					t.Errorf("%d of %d bytes: %s has lost %q, and nothing is told", size, len(whole), f.ID, text)
				}
				if at := bytes.Index(whole, []byte(text)); at >= 0 && at+8000 < size { // its last page may be behind its first
					said++
					if shown {
						kept++
					}
				}
			}
		}
	}
	if said < 50 || kept < said*9/10 {
		t.Errorf("%d of %d texts that are in the file are shown", kept, said)
	}
}
