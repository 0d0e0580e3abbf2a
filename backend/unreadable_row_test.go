package backend

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestUnreadableIsAsOldAsItWas: of a session whose file can't be read any more what was found before is told, and not when that happened.
func TestUnreadableIsAsOldAsItWas(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	path := filepath.Join(home, filepath.FromSlash(piPlace))
	b := abroad(t, home)
	told := func(when string, problem bool) {
		t.Helper()
		const last, first = "2026-01-02T10:00:07Z", "first"
		rows, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		row, err := b.Get("pi:s1")
		newsMust(t, err)
		for _, s := range append(rows, row) {
			if s.LastMessageAt != last || s.CreatedAt != "2026-01-02T10:00:00Z" || deref(s.FirstMessage) != first || deref(s.Cwd) != "/w" || (s.Problem != nil) != problem {
				t.Errorf("%s: from %s to %s, %q, %v", when, s.CreatedAt, s.LastMessageAt, deref(s.FirstMessage), deref(s.Problem))
			}
		}
		if hits := look(t, b, "third").Hits; len(rows) != 1 || len(hits) != 1 || hits[0].LastMessageAt != last {
			t.Errorf("%s: %d rows, %+v", when, len(rows), hits)
		}
	}
	scanned(t, b)
	told("as it was", false)
	for name, harm := range map[string]func() error{
		"empty": func() error { return os.WriteFile(path, nil, 0o600) },
		"no text": func() error {
			return os.WriteFile(path, []byte("\x00\x01"), 0o600)
		},
		"somebody else's": func() error {
			if os.Geteuid() == 0 {
				return nil // who may read all
			}
			return os.Chmod(path, 0)
		},
	} {
		newsMust(t, harm())
		now := time.Now()
		newsMust(t, os.Chtimes(path, now, now))
		problem := name != "somebody else's" || os.Geteuid() != 0
		told(name+", not scanned", problem)
		scanned(t, b)
		told(name, problem)
		newsMust(t, os.Chmod(path, 0o600))
		writePi(t, home, piSession())
		scanned(t, b)
		told(name+", and back", false)
	}
}
