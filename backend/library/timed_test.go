package library

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/backend/sources"
)

// TestTimesToCome: a session whose clock was wrong is as new as its file; one in a database, which is written to for others, too, as when it was
// begun.
func TestTimesToCome(t *testing.T) {
	written, begun, later := time.Now().Add(-time.Hour).Truncate(time.Second), time.Now().Add(-48*time.Hour), time.Now().Add(48*time.Hour)
	for name, c := range map[string]struct {
		file           string
		created, wants time.Time
	}{
		"in a file":     {"a.jsonl", begun, written},
		"in a database": {"a.db", begun, begun},
		"in a database, begun in the future, too": {"a.db", later, written},
	} {
		path := filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, written, written); err != nil {
			t.Fatal(err)
		}
		if f := timed(sources.Found{CreatedAt: c.created, UpdatedAt: later, Files: []string{path}}); !f.UpdatedAt.Equal(c.wants) {
			t.Errorf("%s: %v, not %v", name, f.UpdatedAt, c.wants)
		}
	}
}
