package backend

import (
	"os"
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
)

// TestOnADayWithoutTimes: of a session whose records have no times all may have been said on any day from when it began to when its file was
// written last.
func TestOnADayWithoutTimes(t *testing.T) {
	home := t.TempDir()
	file := sourcetest.Write(t, home, ".crabtalk/sessions/crab_user_3.jsonl",
		`{"agent":"crab","created_by":"user","created_at":"2026-01-02T10:00:00Z","title":"","uptime_secs":0}`+"\n"+`{"role":"user","content":"lighthouse"}`+"\n")
	written := time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
	newsMust(t, os.Chtimes(file, written, written))
	b := abroad(t, home)
	scanned(t, b)
	for day, want := range map[string]int{"2026-01-01": 0, "2026-01-02": 1, "2026-03-02": 1, "2026-03-06": 0} {
		found, err := b.Search(t.Context(), SearchOptions{Text: "lighthouse on:" + day})
		newsMust(t, err)
		if len(found.Hits) != want {
			t.Errorf("on %s: %d sessions", day, len(found.Hits))
		}
	}
}
