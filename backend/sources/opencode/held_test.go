//go:build !race

package opencode

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"palimpsest/backend/heaptest"
	"palimpsest/backend/many"
	"palimpsest/backend/sources/sqlite"
)

// TestLittleIsHeldOfARow: while the messages of a session are visited, next to nothing is held of those that were.
func TestLittleIsHeldOfARow(t *testing.T) {
	many.TestOnlyLittle(t)
	const rows, most = 20_000, 24 // bytes a row
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "opencode.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(tablesOfADatabase + fmt.Sprintf(`
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO message SELECT printf('msg_%%032d', i), 'ses_1', i, '{"role":"user"}' FROM n`, rows)); err != nil {
		t.Fatal(err)
	}
	from, err := openTables(t.Context(), sqlite.Database{DB: db})
	if err != nil {
		t.Fatal(err)
	}
	from.id = "ses_1"
	visited, before, held := 0, int64(0), int64(0)
	err = from.messages(t.Context(), func(row) error {
		switch visited++; visited {
		case 1:
			before = heaptest.InUse()
		case rows:
			held = heaptest.InUse() - before
		}
		return nil
	})
	if err != nil || visited != rows {
		t.Fatal(visited, err)
	}
	if held > rows*most {
		t.Errorf("%d bytes are held of a row", held/rows)
	}
}
