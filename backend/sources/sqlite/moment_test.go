package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writerOf opens a database as its owner, with one connection, and returns what executes statements.
func writerOf(t testing.TB, path, mode string) func(statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode("+mode+")&_pragma=wal_autocheckpoint(0)&_pragma=synchronous(0)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	return func(statements ...string) {
		t.Helper()
		for _, statement := range statements {
			if _, err := db.Exec(statement); err != nil {
				t.Fatal(statement, err)
			}
		}
	}
}

// twoTables has one row in each of two tables, and puts another into both.
var (
	twoTables = []string{"CREATE TABLE a (x)", "CREATE TABLE b (x)", "INSERT INTO a VALUES (1)", "INSERT INTO b VALUES (1)"}
	oneMore   = []string{"BEGIN", "INSERT INTO a VALUES (2)", "INSERT INTO b VALUES (2)", "COMMIT"}
)

// both counts the rows of both tables, and calls meanwhile between the two the first time.
func both(t *testing.T, path string, meanwhile func()) (a, b, asked int, err error) {
	t.Helper()
	err = (*Cache)(nil).InPlace(t.Context(), t.TempDir(), path, func(db *sql.DB) error {
		if err := db.QueryRow("SELECT count(*) FROM a").Scan(&a); err != nil {
			return err
		}
		if asked++; asked == 1 {
			meanwhile()
		}
		return db.QueryRow("SELECT count(*) FROM b").Scan(&b)
	})
	return a, b, asked, err
}

// TestInPlaceHalfAPage: a page that is read while it is being moved from the log, and is half of what it was and half of what it becomes,
// does not count.
func TestInPlaceHalfAPage(t *testing.T) {
	const half = 2048 // of a page
	path := filepath.Join(t.TempDir(), "a.db")
	do := writerOf(t, path, "wal")
	do(twoTables...)
	do("INSERT INTO b VALUES (0)", "PRAGMA wal_checkpoint(TRUNCATE)", "CREATE TABLE c (x)")
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a, b, asked, err := both(t, path, func() {
		do(oneMore...)
		do("DELETE FROM b WHERE x = 0", "PRAGMA wal_checkpoint(PASSIVE)")
		moved, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		const pageOfB = 2 * (2 * half) // the third
		if bytes.Equal(old[pageOfB:pageOfB+half], moved[pageOfB:pageOfB+half]) || bytes.Equal(old[pageOfB+half:pageOfB+2*half], moved[pageOfB+half:pageOfB+2*half]) {
			t.Fatal("both halves have to be others: the test shows nothing")
		}
		// The second half is not there yet when it is read.
		if _, err := file.WriteAt(old[pageOfB+half:pageOfB+2*half], pageOfB+half); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
	})
	if a != 2 || b != 2 || asked < 2 || err != nil {
		t.Errorf("%d rows here, %d there; asked %d times; %v", a, b, asked, err)
	}
}

// TestWithinATick: a change that comes within one tick of the clock after another, and so leaves size and times as they were, is seen.
func TestWithinATick(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	do := writerOf(t, path, "delete")
	do(twoTables...)
	before, err := look(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, stands := before.stands(path, false); !stands {
		t.Error("nothing was changed")
	}
	do(oneMore...)
	if before.main, err = stat(path); err != nil { // as if the clock had stood still
		t.Fatal(err)
	}
	if _, stands := before.stands(path, false); stands {
		t.Error("a change was not seen")
	}
}

// TestInPlaceCut: of a database whose end is missing, in the middle of a page too, rows are whole or an error, and how much is missing is
// told, as of a copy.
func TestInPlaceCut(t *testing.T) {
	path := forCut(t, "delete")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for size := len(whole); size >= cutPage; size -= cutPage*3/2 + 1 {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		there, copied := 0, 0
		err := (*Cache)(nil).InPlace(t.Context(), t.TempDir(), path, func(db *sql.DB) error {
			there = cutThere(t, db)
			return nil
		})
		db, release, failed := uncached.Open(t.Context(), t.TempDir(), path)
		if failed != nil {
			t.Fatal(failed)
		}
		copied = cutThere(t, db.DB)
		if there != copied || (err == nil) != (db.Cut == nil) || err != nil && !strings.HasSuffix(err.Error(), db.Cut.Error()) {
			t.Errorf("%d of %d bytes: %d rows, %v; of a copy %d, %v", size, len(whole), there, err, copied, db.Cut)
		}
		if err := release(); err != nil {
			t.Error(err)
		}
	}
}

// TestInPlaceCutBesideItsLog: the same where the log has pages of the end, and others are nowhere.
func TestInPlaceCutBesideItsLog(t *testing.T) {
	path := forCut(t, "wal")
	whole, err1 := os.ReadFile(path)
	log, err2 := os.ReadFile(path + walSuffix)
	if err := errors.Join(err1, err2); err != nil || len(log) == 0 {
		t.Fatal("no log: the test shows nothing", err)
	}
	for size := len(whole); size >= cutPage; size -= cutPage*3/2 + 1 {
		there := filepath.Join(t.TempDir(), "agent.db")
		if err := errors.Join(os.WriteFile(there, whole[:size], 0o600), os.WriteFile(there+walSuffix, log, 0o600)); err != nil {
			t.Fatal(err)
		}
		n := 0
		err := (*Cache)(nil).InPlace(t.Context(), t.TempDir(), there, func(db *sql.DB) error {
			n = cutThere(t, db)
			return nil
		})
		if err != nil || n != cutRows && size == len(whole) {
			t.Errorf("%d of %d bytes: %d rows, %v", size, len(whole), n, err)
		}
	}
}

// TestInPlaceWithoutALog: what was read is of one moment if nobody was at work, nobody has been since, and each page still is what it was
// whenever it was read.
func TestInPlaceWithoutALog(t *testing.T) {
	for name, c := range map[string]struct {
		reads     []byte // what the page is whenever it is read
		meanwhile func(do func(...string), path string) error
		whole     bool
	}{
		"the same":                        {[]byte{1, 1, 1}, nil, true},
		"another one at last":             {[]byte{1, 1, 2}, nil, false},
		"another one when it came again":  {[]byte{1, 2, 2}, nil, false},
		"another one, and what it was":    {[]byte{1, 2, 1}, nil, false},
		"read once, and another one then": {[]byte{1, 2}, nil, false},
		"another page was changed":        {[]byte{1, 1}, func(do func(...string), _ string) error { do(oneMore...); return nil }, false},
		"a change has begun": {[]byte{1, 1}, func(_ func(...string), path string) error {
			return os.WriteFile(path+journalSuffix, []byte("begun"), 0o600)
		}, false},
		"a log has begun": {[]byte{1, 1}, func(do func(...string), _ string) error { do("PRAGMA journal_mode = wal"); do(oneMore...); return nil }, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db")
			do := writerOf(t, path, "delete")
			do(twoTables...)
			now, err1 := look(path)
			wal, err2 := openWAL(t.Context(), nothing{})
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			p := pagesOf(&changing{c.reads}, now, wal)
			page := make([]byte, p.page)
			for range len(c.reads) - 1 {
				if _, err := p.ReadAt(page, p.page); err != nil {
					t.Fatal(err)
				}
			}
			if c.meanwhile != nil {
				if err := c.meanwhile(do, path); err != nil {
					t.Fatal(err)
				}
			}
			if whole, err := p.whole(t.Context(), path, now, now.main.mtime); whole != c.whole || err != nil {
				t.Errorf("%v, %v", whole, err)
			}
		})
	}
}

// changing is a file that is filled with another byte at each reading.
type changing struct{ reads []byte }

func (c *changing) ReadAt(into []byte, _ int64) (int, error) {
	for i := range into {
		into[i] = c.reads[0]
	}
	c.reads = c.reads[1:]
	return len(into), nil
}
