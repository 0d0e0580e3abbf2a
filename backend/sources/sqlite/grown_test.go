package sqlite

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// TestLogGrows: what a writer adds to the log of a file that has not changed for long is seen, whether or not somebody still has the copy
// before: in one process, open databases that are the same file share what they know of its log.
func TestLogGrows(t *testing.T) {
	for name, held := range map[string]bool{"held": true, "let go": false} {
		t.Run(name, func(t *testing.T) {
			path, temp, cache := filepath.Join(t.TempDir(), "a.db"), t.TempDir(), &Cache{}
			writer, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
			if err != nil {
				t.Fatal(err)
			}
			defer writer.Close()
			for _, statement := range []string{"CREATE TABLE a (x)", "PRAGMA wal_checkpoint(TRUNCATE)", "INSERT INTO a VALUES (1)"} {
				if _, err := writer.Exec(statement); err != nil {
					t.Fatal(err)
				}
			}
			age(t, path)
			for rows := 1; rows <= 4; rows++ {
				db, done, err := cache.Open(t.Context(), temp, path)
				if err != nil {
					t.Fatal(err)
				}
				if n := count(t, db, "SELECT count(*) FROM a"); n != rows {
					t.Errorf("%d rows, not %d", n, rows)
				}
				if held {
					defer func() { _ = done() }() // once all have been opened
				} else if err := done(); err != nil {
					t.Error(err)
				}
				if _, err := writer.Exec("INSERT INTO a VALUES (2)"); err != nil {
					t.Fatal(err)
				}
			}
			if err := cache.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
