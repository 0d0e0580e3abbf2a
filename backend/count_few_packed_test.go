package backend

import (
	"os"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"palimpsest/backend/sources/sourcetest"
)

// TestPackedTimes: a list that counts tells of a compressed file when something was said last, as it will once the index is there. What was
// archived at an unknown time was so then, too.
func TestPackedTimes(t *testing.T) {
	const (
		id    = "01a1fbb2-517a-7cd2-9976-548effd87cf7"
		codex = `{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"id":"` + id + `","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}}` + "\n" +
			`{"timestamp":"2026-01-02T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"mend"}]}}` + "\n"
		claw = `{"type":"session","version":3,"id":"c1","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}` + "\n" +
			`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-02T10:00:01Z","message":{"role":"user","content":"mend","timestamp":1767348001000}}` + "\n"
		said = "2026-01-02T10:00:01Z"
	)
	pack, err := zstd.NewWriter(nil)
	newsMust(t, err)
	home := t.TempDir()
	for place, text := range map[string]string{
		".codex/archived_sessions/rollout-2026-01-02T10-00-00-" + id + ".jsonl.zst": codex,
		".openclaw/agents/main/sessions/c1.jsonl.deleted.once.zst":                  claw,
	} {
		touched := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)
		newsMust(t, os.Chtimes(sourcetest.Write(t, home, place, string(pack.EncodeAll([]byte(text), nil))), touched, touched))
	}
	b := abroad(t, home)
	told := func(when string) {
		t.Helper()
		all, err := b.List(t.Context(), ListOptions{Archived: true})
		newsMust(t, err)
		for i := range all {
			if s := &all[i]; s.LastMessageAt != said || deref(s.ArchivedAt) != said {
				t.Errorf("%s: %s: last %s, archived %s", when, s.ID, s.LastMessageAt, deref(s.ArchivedAt))
			}
		}
		if len(all) != 2 {
			t.Errorf("%s: %d sessions", when, len(all))
		}
	}
	told("read")
	scanned(t, b)
	told("in the index")
}
