package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/gemini"
	"palimpsest/backend/sources/opencode"
	"palimpsest/backend/sources/picoclaw"
	"palimpsest/backend/sources/sourcetest"
)

// inFiles are sessions whose files do not say outside which they hold.
var inFiles = map[string]struct {
	source    sources.Source
	id, place string
	files     map[string]string
}{
	"rows of a database": {opencode.Source{}, rowsID, rowsPlace, nil},
	"a file with a start for its name": {gemini.Source{}, "gemini:s1", ".gemini/tmp/p/chats/session-2026-01-02T10-00-other.json", map[string]string{
		".gemini/tmp/p/chats/session-2026-01-02T10-00-other.json": `{"sessionId":"s1","startTime":"2026-01-02T10:00:00Z","lastUpdated":"2026-01-02T10:00:00Z",
			"messages":[{"id":"m1","timestamp":"2026-01-02T10:00:00Z","type":"user","content":"grown"}]}`,
	}},
	"a key": {picoclaw.Source{}, "picoclaw:cli:demo", ".picoclaw/workspace/sessions/cli_demo.json", map[string]string{
		".picoclaw/workspace/sessions/cli_demo.json": `{"key":"cli:demo","messages":[{"role":"user","content":"grown"}],"summary":"","created":"2026-01-02T10:00:00Z","updated":"2026-01-02T10:00:00Z"}`,
	}},
	"a subagent": {claudecode.Source{}, "claudecode:p.agent-a1", ".claude/projects/-w/agent-a1.jsonl", map[string]string{
		".claude/projects/-w/p.jsonl":        claudeRows(`{}`),
		".claude/projects/-w/agent-a1.jsonl": strings.Replace(claudeSide("a1"), `"content":"look"`, `"content":"grown"`, 1),
	}},
}

// TestWhatStandsAndCannotBeRead: of a session in a file that is there and can't be read nobody says that it is gone, and it can't be forgotten; it is
// as it was once the file can be read again.
func TestWhatStandsAndCannotBeRead(t *testing.T) {
	for name, c := range inFiles {
		t.Run(name, func(t *testing.T) {
			home, moved := t.TempDir(), filepath.Join(t.TempDir(), "away")
			if c.files == nil {
				newsMust(t, rowsOf(t, home, 2, "grown").Close())
			}
			for place, text := range c.files {
				sourcetest.Write(t, home, place, text)
			}
			b := scanOf(t, home, t.TempDir(), c.source)
			scanNow(t, b, c.id)
			listed := func() (row Session) {
				t.Helper()
				newsMust(t, b.Scan(t.Context(), false, nil))
				all, err := b.List(t.Context(), ListOptions{Subagents: true})
				newsMust(t, err)
				for _, one := range all {
					if one.ID == c.id {
						row = one
					}
				}
				return row
			}
			refused := func(state string) {
				t.Helper()
				all, err := b.Forget(t.Context(), []string{c.id})
				newsMust(t, err)
				if all[0].Problem == nil || all[0].Problem.Code != CodeBadInput {
					t.Errorf("%s: it is forgotten", state)
				}
			}
			path := filepath.Join(home, filepath.FromSlash(c.place))
			newsMust(t, os.Rename(path, moved))
			newsMust(t, os.WriteFile(path, []byte(`{"half": "writ`), 0o600))
			row := listed()
			if !row.Gone || row.Problem == nil || !strings.Contains(*row.Problem, "can't be reached") {
				t.Errorf("%+v", row)
			}
			if _, err := b.Page(c.id, PageOptions{}); err == nil || !strings.Contains(err.Error(), "its files can't be reached") {
				t.Error(err)
			}
			refused("damaged")
			newsMust(t, os.Rename(moved, path))
			if row = listed(); row.Gone || row.Problem != nil {
				t.Errorf("back: %+v", row)
			}
			kept, err := b.Keep(t.Context(), []string{c.id})
			newsMust(t, err)
			if kept[0].Problem != nil {
				t.Fatal(kept[0].Problem.Message)
			}
			newsMust(t, os.WriteFile(path, []byte(`{"half": "writ`), 0o600))
			if row = listed(); !row.FromCopy {
				t.Errorf("kept: %+v", row)
			}
			refused("damaged, and kept")
			copies, err := b.KeptCopies(t.Context())
			newsMust(t, err)
			if !copies[0].There {
				t.Errorf("%+v", copies)
			}
			newsMust(t, b.DropCopy(t.Context(), c.id))
			if n := len(look(t, b, "grown").Hits); n != 1 {
				t.Errorf("without the copy it is found %d times", n)
			}
			newsMust(t, os.Remove(path))
			if row = listed(); !row.Gone || row.Problem != nil {
				t.Errorf("removed: %+v", row)
			}
		})
	}
}
