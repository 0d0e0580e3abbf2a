package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestImportOfWhatBecameShorter: of an original that is only the beginning of its copy by now, as where a prompt was taken back, a new copy takes
// the place of that, unless it was continued.
func TestImportOfWhatBecameShorter(t *testing.T) {
	const begun = `{"sessionId":"s1","projectHash":"h","startTime":"2026-01-02T10:00:00Z","lastUpdated":"2026-01-02T10:00:03Z"`
	said := func(n int, kind string) string {
		return fmt.Sprintf(`{"id":"m%d","timestamp":"2026-01-02T10:00:%02dZ","type":%q,"content":"said %d"}`, n, n, kind, n)
	}
	messages := []string{said(1, "user"), said(2, "gemini"), said(3, "user"), said(4, "gemini")}
	for place, write := range map[string]func(messages []string) string{
		"chats/session-1-s1.jsonl": func(messages []string) string { return begun + "}\n" + strings.Join(messages, "\n") + "\n" },
		"chats/session-1-s1.json": func(messages []string) string {
			return begun + `,"messages":[` + strings.Join(messages, ",") + "]}"
		},
	} {
		for _, continued := range []bool{false, true} {
			home := t.TempDir()
			written := func(n int) { sourcetest.Write(t, home, ".gemini/tmp/app/"+place, write(messages[:n])) }
			written(4)
			b := abroad(t, home)
			first, err := b.Import(t.Context(), "gemini:s1")
			newsMust(t, err)
			if continued {
				_, err := b.Append(t.Context(), first.ID, strings.NewReader(`{"recordType":"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"on"}]}`))
				newsMust(t, err)
			}
			written(2)
			second, err := b.Import(t.Context(), "gemini:s1")
			newsMust(t, err)
			switch {
			case continued:
				if second.ID != first.ID || second.Did != ImportUnchanged || second.Replaced != nil {
					t.Errorf("%s: continued: %+v", place, second)
				}
			case second.Did != ImportUpdated || deref(second.Replaced) != first.ID:
				t.Errorf("%s: %+v", place, second)
			default:
				sameContext(t, b, "gemini:s1", second.ID)
			}
			if copies := copiesOfIt(t, b, "gemini:s1"); len(copies) != 1 || copies[0] != second.ID {
				t.Errorf("%s: %q, and %s was made", place, copies, second.ID)
			}
		}
	}
}

// TestImportOfAnOlderCopy: where only a kept copy is left, which is of before the import, that has nothing new to tell: what was said since is in the
// import alone.
func TestImportOfAnOlderCopy(t *testing.T) {
	home := t.TempDir()
	const place = ".gemini/tmp/app/chats/session-1-s1.jsonl"
	lines := []string{`{"sessionId":"s1","projectHash":"h","startTime":"2026-01-02T10:00:00Z","lastUpdated":"2026-01-02T10:00:03Z"}`}
	for n, kind := range []string{"user", "gemini", "user", "gemini"} {
		lines = append(lines, fmt.Sprintf(`{"id":"m%d","timestamp":"2026-01-02T10:00:%02dZ","type":%q,"content":"said %d"}`, n, n, kind, n))
	}
	write := func(n int) { sourcetest.Write(t, home, place, strings.Join(lines[:n], "\n")+"\n") }
	write(3)
	b := abroad(t, home)
	_, err := b.Keep(t.Context(), []string{"gemini:s1"})
	newsMust(t, err)
	write(5)
	first, err := b.Import(t.Context(), "gemini:s1")
	newsMust(t, err)
	newsMust(t, os.RemoveAll(filepath.Join(home, ".gemini")))
	second, err := b.Import(t.Context(), "gemini:s1")
	newsMust(t, err)
	if second.ID != first.ID || second.Did != ImportUnchanged || second.Replaced != nil {
		t.Errorf("%+v, and %s was made", second, first.ID)
	}
}
