package openclaw

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestDamagedPages: where a page with events, or with what finds them, is damaged every session is listed all the same, and nothing is missing that is not told of.
func TestDamagedPages(t *testing.T) {
	const sessions, events, page, leaf, leafOfIndex = 12, 40, 4096, 0x0D, 0x0A
	var rows []string
	for n := range sessions {
		id := fmt.Sprintf("session-%02d", n)
		rows = append(rows, fmt.Sprintf("INSERT INTO session_windows VALUES ('%s', 'k%d', NULL, NULL, 1767348000000, 1767348060000, 'm')", id, n))
		for seq := range events {
			rows = append(rows, fmt.Sprintf(`INSERT INTO transcript_events VALUES ('%s', %d, '{"id":"e%d","type":"message","message":{"role":"user","content":"some words"}}', NULL)`, id, seq, seq))
		}
	}
	home := t.TempDir()
	path := database(t, home, `{"type":"session","version":4,"id":"s1"}`, strings.Join(rows, ";"))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	env := sourcetest.Env(t, home)
	harmed := 0
	for at := page; at < len(whole); at += page {
		here := whole[at : at+page]
		if (here[0] != leaf || !bytes.Contains(here, []byte("some words"))) && (here[0] != leafOfIndex || bytes.Count(here, []byte("session-")) < events) {
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
			r := sourcetest.Read(t, Source{}, env, f)
			if f.Problem != "" || r.Err != nil || r.Damaged > 0 {
				bad++
			} else if said := strings.Count(r.Story(), "some words"); said != events && f.ID != "s1" {
				t.Errorf("%s has %d of what was said, and nothing is told", f.ID, said)
			}
		}
		// What an index leads to is found without it.
		if len(found) != sessions+1 || (bad == 0) != (here[0] == leafOfIndex) || bad > sessions-2 {
			t.Errorf("the page at %d: %d found, %d damaged", at, len(found), bad)
		}
	}
	if harmed < 4 {
		t.Fatal("no such pages")
	}
}
