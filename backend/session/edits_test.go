package session

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/record"
)

// TestEditsAsTheLogTells: counted as they come, or all at once when metadata is rebuilt, they are the same.
func TestEditsAsTheLogTells(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	rapid.Check(t, func(t *rapid.T) {
		m, err := s.Create(New{})
		if err != nil {
			t.Fatal(err)
		}
		additions, deletions, files := 0, 0, map[string]bool{}
		for range rapid.IntRange(0, 6).Draw(t, "records") {
			add, remove := rapid.IntRange(0, 9).Draw(t, "additions"), rapid.IntRange(0, 9).Draw(t, "deletions")
			path := rapid.SampledFrom([]string{"/a", "/a/b", "/b", "b"}).Draw(t, "path")
			change := fmt.Sprintf(`"changes":[{"path":%q,"before":null,"after":null,"additions":%d,"deletions":%d}]`, path, add, remove)
			line := `{"recordType":"message","role":"toolResult","toolCallId":"c","content":[],` + change + `}`
			if rapid.Bool().Draw(t, "undo") {
				add, remove = -remove, -add
				if rapid.Bool().Draw(t, "counted") {
					add, remove = rapid.IntRange(-9, 9).Draw(t, "added"), rapid.IntRange(-9, 9).Draw(t, "removed")
					change = strings.TrimSuffix(change, "}]") + fmt.Sprintf(`,"counts":{"additions":%d,"deletions":%d}}]`, add, remove)
				}
				line = `{"recordType":"note","namespace":"file-undo","data":{` + change + `},"display":true}`
			}
			additions, deletions, files[path] = max(additions+add, 0), max(deletions+remove, 0), true
			draft, err := s.Draft([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Append(t.Context(), m.ID, []record.Draft{draft}); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			got, err := s.Metadata(m.ID)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case len(files) == 0 && got.Edits != nil:
				t.Fatalf("%+v without a change", got.Edits)
			case len(files) > 0 && (got.Edits == nil || *got.Edits != Edits{additions, deletions, len(files)}):
				t.Fatalf("%+v, want %d, %d, %d", got.Edits, additions, deletions, len(files))
			}
			if err := s.Repair(t.Context(), m.ID); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestHostileEdits: what somebody else has written there costs nothing and breaks nothing.
func TestHostileEdits(t *testing.T) {
	var c editCounts
	for _, changes := range []string{
		`"changes":[{"path":5},{"path":""},{"path":"a\u0000b","additions":1},7,null]`, `"changes":["x"]`, `"changes":[]`,
	} {
		c.countEdits([]byte(`{` + changes + `}`))
	}
	if c != (editCounts{}) {
		t.Errorf("%+v", c)
	}
	c.countEdits([]byte(`{"changes":[{"path":"a","additions":1e300,"deletions":-5}]}`))
	if c.additions > 1<<30 || c.deletions != 0 {
		t.Errorf("%+v", c)
	}
	c = editCounts{}
	for i := range 10 {
		c.countEdits(fmt.Appendf(nil, `{"changes":[{"path":"%d%s"}]}`, i, strings.Repeat("x", 10<<10)))
	}
	if e := c.edits(); e.Files != 10 || len(c.files) > filesMost || len(c.paths()) >= 10 {
		t.Errorf("%+v, %d bytes", e, len(c.files))
	}
}
