package backend

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
)

// wild are ids that stand in files of others, and may be anything.
var wild = map[string]string{
	"spaces": "a b  c", "slashes": "../a/b\\c", "colons": "a:b:c", "unicode": "猫 é\u202eabc", "a line": "a\nb", "controls": "\x01\x1b[31m\x7f\u0085", "zero": "a\x00b",
	"long": strings.Repeat("x", 499), "too long": strings.Repeat("ü", 3000), "like another": strings.Repeat("ü", 2999) + "x", "options": "--help", "dots": "..", "percent": "%2e%00#?&",
}

// TestWildIDs: what a list says is the id of a session is taken by every verb that reads.
func TestWildIDs(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Now()}
	for name, id := range wild {
		text, _ := json.Marshal(id)
		sourcetest.Write(t, m.others, ".pi/agent/sessions/-w/"+strings.ReplaceAll(name, " ", "-")+".jsonl", strings.Join([]string{
			`{"type":"session","version":3,"id":` + string(text) + `,"timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}`,
			`{"type":"message","id":"1","parentId":null,"timestamp":"2026-01-02T10:00:01Z","message":{"role":"user","content":"the words of ` + name + `."}}`, "",
		}, "\n"))
	}
	sourcetest.Write(t, m.others, ".pi/agent/sessions/-w/broken.jsonl", `{"type":"session","version":3,"id":"`+"\xff\xfe"+`","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}`+"\n"+
		`{"type":"message","id":"1","parentId":null,"timestamp":"2026-01-02T10:00:01Z","message":{"role":"user","content":"the words of none."}}`+"\n")
	inDatabase(t, m.others, opencodePlace, strings.NewReplacer("'ses_1'", "'ses' || char(10, 1) || 'x'").Replace(opencodeRows))
	b := m.open()
	list, err := b.List(t.Context(), ListOptions{Agent: "", Archived: true})
	if err != nil || len(list) != len(wild)+3 {
		t.Fatalf("%d sessions, %v", len(list), err)
	}
	scanned(t, b)
	found := map[string]bool{}
	for _, hit := range look(t, b, "the", func(o *SearchOptions) { o.Limit = 100 }).Hits {
		found[hit.ID] = true
	}
	ids, folder := map[string]bool{}, t.TempDir()
	for _, s := range list {
		text, err := json.Marshal(s.ID)
		var id string
		if err != nil || json.Unmarshal(text, &id) != nil || id != s.ID || ids[id] {
			t.Errorf("%q is not what a list can say, or there twice", s.ID)
		}
		ids[id] = true
		if !found[id] {
			t.Errorf("%q is not searched", id)
		}
		if inside, err := b.SearchIn(t.Context(), id, SearchOptions{Text: "the"}); err != nil {
			t.Errorf("%q: %+v, %v", id, inside, err)
		}
		resolved, err := b.ResolveAny(t.Context(), id)
		if err != nil || resolved != id {
			t.Errorf("%q: resolved as %q, %v", id, resolved, err)
		}
		if got, err := b.Get(id); err != nil || got.ID != id {
			t.Errorf("%q: %+v, %v", id, got, err)
		}
		c, err := b.Context(id, ContextOptions{})
		if err != nil || len(c.Messages) == 0 {
			t.Errorf("%q: %v", id, err)
			continue
		}
		if _, err := b.Check(id); err != nil {
			t.Errorf("%q: %v", id, err)
		}
		if _, err := b.Export(t.Context(), id, ExportOptions{Format: "markdown"}, io.Discard); err != nil {
			t.Errorf("%q: %v", id, err)
		}
		if _, err := b.ExportTo(t.Context(), id, ExportOptions{Format: "markdown"}, folder); err != nil {
			t.Errorf("%q: %v", id, err)
		}
		if found, err := b.Find(t.Context(), id, FindOptions{Query: "the"}); err != nil {
			t.Errorf("%q: %+v, %v", id, found, err)
		}
		if made, err := b.Import(t.Context(), id); err != nil || made.Did != ImportCreated {
			t.Errorf("%q: %+v, %v", id, made, err)
		}
		if kept, err := b.Keep(t.Context(), []string{id}); err != nil || kept[0].Problem != nil {
			t.Errorf("%q: %+v, %v", id, kept, err)
		}
	}
}
