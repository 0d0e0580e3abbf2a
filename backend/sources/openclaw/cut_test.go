package openclaw

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestCutDatabase: of a database whose end is missing what is left is shown, that it was cut is told, and so is what each session lacks.
func TestCutDatabase(t *testing.T) {
	const sessions, events, page = 10, 12, 4096
	var rows []string
	for n := range sessions {
		id := fmt.Sprintf("session-%02d", n)
		rows = append(rows, fmt.Sprintf("INSERT INTO session_windows VALUES ('%s', 'k%d', NULL, NULL, 1767348000000, 1767348060000, 'm')", id, n))
		for seq := range events {
			text := fmt.Sprintf("Said %d in %d. %s", seq, n, strings.Repeat("word ", 40+seq%2*1500))
			rows = append(rows, fmt.Sprintf(`INSERT INTO transcript_events VALUES ('%s', %d, '{"id":"e%d","type":"message","message":{"role":"user","content":"%s"}}', NULL)`, id, seq, seq, text))
		}
	}
	home := t.TempDir()
	path := database(t, home, `{"type":"session","version":4,"id":"s1"}`, strings.Join(rows, ";"))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	env := sourcetest.Env(t, home)
	said, kept := 0, 0
	for size := len(whole) - page/2; size > 16*page; size -= 10 * page {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		if !strings.Contains(found["main/openclaw-agent.sqlite"].Problem, "was cut") {
			t.Fatalf("%d of %d bytes: %+v", size, len(whole), found)
		}
		for n := range sessions {
			f, listed := found[fmt.Sprintf("session-%02d", n)]
			if !listed {
				continue // that the file was cut is told
			}
			r := sourcetest.Read(t, Source{}, env, f)
			for seq := range events {
				text := fmt.Sprintf("Said %d in %d. ", seq, n)
				shown := strings.Contains(r.Story(), text)
				if !shown && r.Err == nil && r.Damaged == 0 {
					t.Errorf("%d of %d bytes: %s has lost %q, and nothing is told", size, len(whole), f.ID, text)
				}
				if at := strings.Index(string(whole), text); at >= 0 && at+8000 < size { // its last page may be behind its first
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
