package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/sources/opencode"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

// TestRebuiltAsFresh: an index that is rebuilt has what one has that is made for the first time, and so has whoever opens a session then, though
// nothing that is looked at tells that it changed: of a session that rests, nobody looks at the parts of its messages.
func TestRebuiltAsFresh(t *testing.T) {
	const storage, id = ".local/share/opencode/storage/", "opencode:ses_1"
	home := t.TempDir()
	sourcetest.Write(t, home, storage+"message/ses_1/msg_1.json", `{"id":"msg_1","role":"user","modelID":"m","time":{"created":1767348000000}}`)
	sourcetest.Write(t, home, storage+"part/msg_1/prt_1.json", `{"id":"prt_1","type":"text","text":"wanted"}`)
	sourcetest.Write(t, home, storage+"part/msg_1/prt_2.json", `{"id":"prt_2","type":"text","text":"a needle"}`)
	sourcetest.Write(t, home, storage+"session/p/ses_1.json", `{"id":"ses_1","directory":"/w","time":{"created":1767348000000,"updated":1767348060000}}`)
	cache := t.TempDir()
	has := func(cache string, rebuild bool) string {
		b := scanOf(t, home, cache, opencode.Source{})
		newsMust(t, b.Scan(t.Context(), rebuild, nil))
		found, err := b.Search(t.Context(), SearchOptions{Text: "needle"})
		newsMust(t, err)
		shown := ""
		newsMust(t, b.Show(t.Context(), id, ShowOptions{}, func(s *Shown) error { shown += string(s.JSON) + "\n"; return nil }))
		return fmt.Sprintf("%d found, %s", len(found.Hits), shown)
	}
	before := has(cache, false)
	sourcetest.Write(t, home, storage+"part/msg_1/prt_2.json", `{"id":"prt_2","type":"text","text":"another"}`)
	stale, rebuilt, fresh := has(cache, false), has(cache, true), has(t.TempDir(), false)
	if stale != before || rebuilt != fresh || rebuilt == stale {
		t.Errorf("before: %s\nnoticed: %s\nrebuilt: %s\nfresh: %s", before, stale, rebuilt, fresh)
	}
}

// TestARebuildThatDoesNotEnd: what the index has stays until it is read again. Of a session that vanishes before that, and of one of which nothing can
// be read any more, nothing else has it. One that is as it was is read again, though the rebuild is of before.
func TestARebuildThatDoesNotEnd(t *testing.T) {
	home := t.TempDir()
	file := func(id string) string {
		return filepath.Join(home, ".pi", "agent", "sessions", "--w--", "2026-03-05T02-00-00-000Z_"+id+".jsonl")
	}
	ids := []string{"vanishes", "empties", "stays"}
	newsMust(t, os.MkdirAll(filepath.Dir(file("")), 0o700))
	for _, id := range ids {
		newsMust(t, os.WriteFile(file(id), []byte(`{"type":"session","version":3,"id":"`+id+`","timestamp":"2026-03-05T02:00:00.000Z","cwd":"/w"}`+"\n"+piMore), 0o600))
	}
	b := scanOf(t, home, t.TempDir(), pi.Source{})
	newsMust(t, b.Scan(t.Context(), false, nil))
	stock := b.indexing.stock
	revision := func() int64 {
		row, _, err := stock.index.Session(t.Context(), "pi:stays")
		newsMust(t, err)
		return row.Revision
	}
	newsMust(t, stock.Clear(t.Context()))
	before := revision()
	if n := hits(t, b, "grown"); n != len(ids) {
		t.Errorf("while it waits %d are found, not %d", n, len(ids))
	}
	newsMust(t, os.Remove(file("vanishes")))
	newsMust(t, os.WriteFile(file("empties"), nil, 0o600))
	newsMust(t, b.Scan(t.Context(), false, nil))
	if n := hits(t, b, "grown"); n != len(ids) {
		t.Errorf("afterwards %d are found, not %d", n, len(ids))
	}
	row, _, err := stock.index.Session(t.Context(), "pi:vanishes")
	newsMust(t, err)
	if !row.Gone || revision() == before {
		t.Errorf("it vanished: %v; what stayed was read again: %v", row.Gone, revision() != before)
	}
}
