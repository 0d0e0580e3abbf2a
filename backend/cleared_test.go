package backend

import (
	"os"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestClearedWhileOpen: the cache may be deleted at any time, also while the program is open: all is read again, and what comes then, too.
func TestClearedWhileOpen(t *testing.T) {
	home, cache := t.TempDir(), t.TempDir()
	writePi(t, home, piSession())
	b := residing(t, home, t.TempDir(), cache)
	awaitIndex(t, b, "scanned", ready(1))
	if err := os.RemoveAll(cache); err != nil {
		t.Skip(err) // what is open stays there
	}
	sourcetest.Write(t, home, ".pi/agent/sessions/--w--/2026-01-03T10-00-00-000Z_s2.jsonl", strings.ReplaceAll(piSession(), `"s1"`, `"s2"`))
	b.wantScan()
	awaitIndex(t, b, "read again", func(s IndexStatus) bool { return ready(2)(s) && s.Problem == nil })
	if n := hits(t, b, "third"); n != 2 {
		t.Errorf("found %d times", n)
	}
}
