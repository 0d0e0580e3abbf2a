package backend

import (
	"fmt"
	"testing"

	"palimpsest/backend/sources/opencode"
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
