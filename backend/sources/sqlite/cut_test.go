package sqlite

import (
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cutRows is how many rows the databases have that are cut here: short ones, and some that take several pages.
const (
	cutRows = 40
	cutPage = 512
)

func cutText(n int) string { return fmt.Sprintf("row %d %s", n, strings.Repeat("long ", n%7*60)) }

// forCut makes a database with an index, whose last rows are in its log if it has one.
func forCut(t *testing.T, mode string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "agent.db")
	db, err := sql.Open("sqlite", address(path, nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // what it closes is what is cut: the log goes with it
	db.SetMaxOpenConns(1)
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := db.Exec(statement, args...); err != nil {
			t.Fatal(statement, err)
		}
	}
	exec(fmt.Sprintf("PRAGMA page_size = %d", cutPage))
	exec("PRAGMA journal_mode = " + mode)
	exec("PRAGMA wal_autocheckpoint = 0")
	exec("CREATE TABLE a(n INTEGER PRIMARY KEY, text, more)")
	exec("CREATE INDEX b ON a(text)")
	for n := 1; n <= cutRows; n++ {
		exec("INSERT INTO a VALUES (?, ?, ?)", n, cutText(n), "end")
		if n == cutRows-5 && mode == "wal" {
			exec("PRAGMA wal_checkpoint(TRUNCATE)")
		}
	}
	return path
}

// TestCut: of a database whose end is missing each row is whole or an error, wherever it was cut, and how much is missing is told.
func TestCut(t *testing.T) {
	path := forCut(t, "delete")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for size := len(whole); size >= cutPage; size -= cutPage*3/2 + 1 {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		before, temp := traces(t, filepath.Dir(path)), t.TempDir()
		db, cleanup, err := uncached.Open(t.Context(), temp, path)
		if err != nil {
			t.Fatalf("%d of %d bytes: %v", size, len(whole), err)
		}
		missing := (len(whole) - size + cutPage - 1) / cutPage
		if told := fmt.Sprint(db.Cut); (missing > 0) != strings.Contains(told, fmt.Sprintf(": %d of its %d pages are missing", missing, len(whole)/cutPage)) {
			t.Errorf("%d of %d bytes: %s", size, len(whole), told)
		}
		there := cutThere(t, db.DB)
		if missing > 0 {
			most = max(most, there)
		} else if there != cutRows {
			t.Errorf("%d rows of a whole database", there)
		}
		if err := cleanup(); err != nil {
			t.Error(err)
		}
		if after := traces(t, filepath.Dir(path)); !maps.Equal(before, after) {
			t.Errorf("before %v, after %v", before, after)
		}
		if left := traces(t, temp); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
	if most < cutRows-5 {
		t.Errorf("at most %d rows of one that was cut", most)
	}
}

// TestCutToNothing: of one that has not even its first page nothing is there, which is an error and no empty database.
func TestCutToNothing(t *testing.T) {
	path := forCut(t, "delete")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{headerLength, headerLength + 1, cutPage - 1} {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := uncached.Open(t.Context(), t.TempDir(), path); err == nil || !strings.Contains(err.Error(), "pages are missing") {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// TestCutBesideItsLog: the same where the log has pages of the end, and others are nowhere.
func TestCutBesideItsLog(t *testing.T) {
	path := forCut(t, "wal")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + walSuffix)
	if err != nil || len(log) == 0 {
		t.Fatal("no log: the test shows nothing", err)
	}
	for size := len(whole); size >= cutPage; size -= cutPage*3/2 + 1 {
		there := filepath.Join(t.TempDir(), "agent.db")
		for name, text := range map[string][]byte{there: whole[:size], there + walSuffix: log} {
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		db, cleanup, err := uncached.Open(t.Context(), t.TempDir(), there)
		if err != nil {
			t.Fatalf("%d of %d bytes: %v", size, len(whole), err)
		}
		if n := cutThere(t, db.DB); n != cutRows && size == len(whole) {
			t.Errorf("%d rows of a whole database", n)
		}
		if err := cleanup(); err != nil {
			t.Error(err)
		}
	}
}

// cutThere counts the rows that can be read, and fails the test for one that never was.
func cutThere(t *testing.T, db *sql.DB) int {
	t.Helper()
	seen := map[int]bool{}
	_ = FromEnds(t.Context(), db, func(scan func(...any) error) error {
		var n int
		var text, more Text
		if err := scan(&n, &text, &more); err != nil {
			return err
		}
		if n < 1 || n > cutRows || string(text) != cutText(n) || more != "end" {
			t.Errorf("row %d is %.40q %q", n, text, more)
		}
		seen[n] = true
		return nil
	}, "SELECT n, text, more FROM a NOT INDEXED")
	return len(seen)
}
