package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"palimpsest/backend/borrow"
)

// ask is what one query gives in place.
func ask(t *testing.T, path, query string) (n int, err error) {
	t.Helper()
	temp := t.TempDir()
	err = (*Cache)(nil).InPlace(t.Context(), temp, path, func(db *sql.DB) error {
		if left := traces(t, temp); len(left) > 0 {
			t.Errorf("copied: %v", left)
		}
		return db.QueryRow(query).Scan(&n)
	})
	return n, err
}

// TestInPlaceNewestRow: what is still in the log of a running writer, or of one that crashed, is read where it is, and nothing there changes.
func TestInPlaceNewestRow(t *testing.T) {
	path, kill := another(t, writeRows)
	for _, crashed := range []bool{false, true} {
		if crashed {
			kill()
		}
		before := traces(t, filepath.Dir(path))
		if before["agent.db-wal"].size == 0 {
			t.Fatal("the log is empty: the test shows nothing")
		}
		if n, err := ask(t, path, "SELECT max(x) FROM a"); n != 2 || err != nil {
			t.Errorf("the newest row is %d, %v", n, err)
		}
		if _, err := ask(t, path, "INSERT INTO a VALUES (4) RETURNING x"); err == nil {
			t.Error("it can be written")
		}
		if after := traces(t, filepath.Dir(path)); !maps.Equal(before, after) {
			t.Errorf("before %v, after %v", before, after)
		}
	}
}

// TestInPlaceOneMoment: whatever a writer does between two questions, the answers are of one state of the database. It is asked once more
// only if they were not.
func TestInPlaceOneMoment(t *testing.T) {
	const grow = "BEGIN; INSERT INTO a VALUES (2); INSERT INTO b VALUES (2); COMMIT"
	for name, c := range map[string]struct {
		meanwhile    []string
		asked, found int
	}{
		"nothing":                            {nil, 1, 1},
		"written to the log":                 {[]string{grow}, 1, 1},
		"moved from the log":                 {[]string{"PRAGMA wal_checkpoint(PASSIVE)"}, 1, 1},
		"written to the log, and moved":      {[]string{grow, "PRAGMA wal_checkpoint(PASSIVE)"}, 2, 2},
		"the log begun anew":                 {[]string{grow, "PRAGMA wal_checkpoint(RESTART)", grow}, 2, 3},
		"the log begun anew, and moved":      {[]string{grow, "PRAGMA wal_checkpoint(RESTART)", grow, "PRAGMA wal_checkpoint(PASSIVE)"}, 2, 3},
		"the log emptied":                    {[]string{grow, "PRAGMA wal_checkpoint(TRUNCATE)"}, 2, 2},
		"no log any more, and written again": {[]string{"PRAGMA journal_mode(delete)", grow}, 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db")
			writer, err := sql.Open("sqlite", path+"?_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
			if err != nil {
				t.Fatal(err)
			}
			defer writer.Close()
			writer.SetMaxOpenConns(1)
			do := func(statements ...string) {
				for _, statement := range statements {
					if _, err := writer.Exec(statement); err != nil {
						t.Fatal(statement, err)
					}
				}
			}
			do("CREATE TABLE a (x)", "CREATE TABLE b (x)", "INSERT INTO a VALUES (1)", "INSERT INTO b VALUES (1)", "PRAGMA wal_checkpoint(TRUNCATE)", "CREATE TABLE c (x)")
			age(t, path)
			asked, a, b := 0, 0, 0
			err = (*Cache)(nil).InPlace(t.Context(), t.TempDir(), path, func(db *sql.DB) error {
				if err := db.QueryRow("SELECT count(*) FROM a").Scan(&a); err != nil {
					return err
				}
				if asked++; asked == 1 {
					do(c.meanwhile...)
				}
				return db.QueryRow("SELECT count(*) FROM b").Scan(&b)
			})
			if err != nil || a != c.found || b != c.found || asked != c.asked {
				t.Errorf("%d rows here, %d there, not %d; asked %d times, not %d; %v", a, b, c.found, asked, c.asked, err)
			}
		})
	}
}

// TestInPlaceTooFast: who never finds it as it was is told so, after a while.
func TestInPlaceTooFast(t *testing.T) {
	path, asked := filepath.Join(t.TempDir(), "a.db"), 0
	closed := func(n int) {
		if err := os.WriteFile(path, make([]byte, n), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	closed(0)
	err := (*Cache)(nil).InPlace(t.Context(), t.TempDir(), path, func(*sql.DB) error {
		asked++
		closed(asked)
		return nil
	})
	if !errors.Is(err, ErrBusy) || asked != tries+1 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

// TestInPlaceHalfATransaction: what a crash left half written is taken back.
func TestInPlaceHalfATransaction(t *testing.T) {
	path, kill := another(t, leaveJournal)
	kill()
	n := 0
	err := (*Cache)(nil).InPlace(t.Context(), t.TempDir(), path, func(db *sql.DB) error { return db.QueryRow("SELECT count(*) FROM b").Scan(&n) })
	if n != 1 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
}

// TestInPlaceAsSQLite: however a log is cut or damaged, and whatever it still has of before it began anew, what is read is what SQLite reads.
func TestInPlaceAsSQLite(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "a.db")
	db, err := sql.Open("sqlite", there+"?_pragma=page_size(512)&_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"CREATE TABLE a (x INTEGER PRIMARY KEY, y)",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<40) INSERT INTO a SELECT i, zeroblob(100) FROM n",
		"PRAGMA wal_checkpoint(RESTART)", // what follows is written over the beginning of the log
		"INSERT INTO a VALUES (41, 1)", "INSERT INTO a VALUES (42, 1)", "UPDATE a SET x = x + 100 WHERE x < 9", "DELETE FROM a WHERE x > 101",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	main, err1 := os.ReadFile(there)
	log, err2 := os.ReadFile(there + walSuffix)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	const query = "SELECT count(*) * 1000 + coalesce(max(x), 0) FROM a"
	seen := map[string]bool{}
	compare := func(name string, log []byte) {
		path := filepath.Join(dir, "b.db")
		if err := errors.Join(os.WriteFile(path, main, 0o600), os.WriteFile(path+walSuffix, log, 0o600)); err != nil {
			t.Fatal(err)
		}
		got, err := ask(t, path, query)
		copied, release, failed := uncached.Open(t.Context(), t.TempDir(), path)
		want := 0
		if failed == nil {
			failed = errors.Join(copied.QueryRow(query).Scan(&want), release())
		}
		if got != want || (err == nil) != (failed == nil) {
			t.Errorf("%s: %d, %v; SQLite: %d, %v", name, got, err, want, failed)
		}
		seen[fmt.Sprint(want, failed)] = true
	}
	for n := 0; n <= len(log); n += 397 {
		compare(fmt.Sprint("cut at ", n), log[:n])
		if n < len(log) {
			bent := append([]byte(nil), log...)
			bent[n] ^= 1
			compare(fmt.Sprint("bent at ", n), bent)
		}
	}
	for n := range walHeader {
		bent := append([]byte(nil), log...)
		bent[n] ^= 1
		compare(fmt.Sprint("bent at ", n), bent)
	}
	if len(seen) < 4 {
		t.Errorf("only %d states were there: the test shows little", len(seen))
	}
}

// counted counts what is read.
type counted struct {
	io.ReaderAt
	bytes *atomic.Int64
}

func (c counted) ReadAt(into []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(into, at)
	c.bytes.Add(int64(n))
	return n, err
}

// TestInPlaceReadsWhatIsAsked: of a large database little is read if little is asked.
func TestInPlaceReadsWhatIsAsked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(wal)")
	if err != nil {
		t.Fatal(err)
	}
	const large = 16 << 20
	for _, statement := range []string{"CREATE TABLE large (x)", "CREATE TABLE small (x)", fmt.Sprintf("INSERT INTO large VALUES (zeroblob(%d))", large), "INSERT INTO small VALUES (7)"} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := borrow.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var bytes atomic.Int64
	wal, err1 := openWAL(t.Context(), nothing{})
	info, err2 := file.Stat()
	if err := errors.Join(err1, err2); err != nil || info.Size() < large {
		t.Fatal(info, err)
	}
	now, err := look(path)
	if err != nil {
		t.Fatal(err)
	}
	p, n := pagesOf(counted{file, &bytes}, now, wal), 0
	if err := p.ask(func(db *sql.DB) error { return db.QueryRow("SELECT x FROM small").Scan(&n) }); n != 7 || err != nil {
		t.Fatal(n, err)
	}
	if read := bytes.Load(); read == 0 || read > 64<<10 {
		t.Errorf("%d bytes were read", read)
	}
}

// TestInPlaceCancelled: who no longer wants to know is told so.
func TestInPlaceCancelled(t *testing.T) {
	path, _ := another(t, writeRows)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := (*Cache)(nil).InPlace(ctx, t.TempDir(), path, func(*sql.DB) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
