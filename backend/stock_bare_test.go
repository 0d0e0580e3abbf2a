package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/index"
	"palimpsest/backend/sources/pi"
)

// TestFilesInWhichNothingWasSaid: they are written together, all of them, and each is read again once something is.
func TestFilesInWhichNothingWasSaid(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".pi", "agent", "sessions", "--w--")
	newsMust(t, os.MkdirAll(dir, 0o700))
	const sessions = bareMost + 20
	path := func(i int) string { return filepath.Join(dir, fmt.Sprintf("2026-03-05T02-00-00-000Z_s%04d.jsonl", i)) }
	header := func(i int) string {
		return fmt.Sprintf(`{"type":"session","version":3,"id":"s%04d","timestamp":"2026-03-05T02:00:00.000Z","cwd":"/w"}`+"\n", i)
	}
	for i := range sessions {
		text := ""
		if i%2 == 0 {
			text = header(i)
		}
		newsMust(t, os.WriteFile(path(i), []byte(text), 0o600))
	}
	b := scanOf(t, home, t.TempDir(), pi.Source{})
	scanNow(t, b, "pi:s0000")
	rows, writes := 0, map[int64]bool{}
	newsMust(t, b.indexing.index.EachSession(t.Context(), func(row *index.Session) {
		rows++
		writes[row.Revision] = true
	}))
	if rows != sessions || len(writes) > sessions/4 {
		t.Errorf("%d sessions in the index, not %d, written %d times", rows, sessions, len(writes))
	}
	newsMust(t, os.WriteFile(path(1), []byte(header(1)+piMore), 0o600))
	scanNow(t, b, "pi:s0001")
	if n := hits(t, b, "grown"); n != 1 {
		t.Errorf("what was said then is found %d times", n)
	}
}
