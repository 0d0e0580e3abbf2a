package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// everything are questions whose answers are all that a database of this test has.
var everything = []string{"SELECT x, hex(y) FROM a ORDER BY x", "SELECT k, hex(v) FROM b ORDER BY k", "SELECT count(*) FROM a INDEXED BY i WHERE y > ''"}

// dump is what a database answers, as text; an error is told with it.
func dump(db *sql.DB, queries ...string) string {
	var out strings.Builder
	for _, query := range queries {
		rows, err := db.Query(query)
		if err != nil {
			fmt.Fprintln(&out, "no", query)
			continue
		}
		kinds, _ := rows.Columns()
		for rows.Next() {
			values := make([]string, len(kinds))
			into := make([]any, len(kinds))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				fmt.Fprintln(&out, "scan", err)
			}
			fmt.Fprintln(&out, values)
		}
		if rows.Err() != nil {
			fmt.Fprintln(&out, "ended", query)
		}
		_ = rows.Close()
	}
	return out.String()
}

// nothingThere is what is told of one that can't be read.
var nothingThere = func() string {
	db, _ := sql.Open("sqlite", ":memory:")
	defer db.Close()
	return dump(db, everything...)
}()

// databases makes databases as agents may: any size of pages, any journal, long rows, rows that went, a table without row ids.
type databases struct {
	*rapid.T
	path string
	conn *sql.DB
}

func (d *databases) do(statements ...string) {
	for _, statement := range statements {
		if _, err := d.conn.Exec(statement); err != nil {
			d.Fatal(statement, err)
		}
	}
}

// begin makes one with its tables.
func (d *databases) begin(dir string) {
	d.path = filepath.Join(dir, "a.db")
	conn, err := sql.Open("sqlite", address(d.path, nil))
	if err != nil {
		d.Fatal(err)
	}
	conn.SetMaxOpenConns(1)
	d.conn = conn
	d.do(
		fmt.Sprintf("PRAGMA page_size = %d", 512<<rapid.IntRange(0, 7).Draw(d.T, "page")),
		fmt.Sprintf("PRAGMA auto_vacuum = %d", rapid.IntRange(0, 2).Draw(d.T, "vacuum")),
		"PRAGMA journal_mode = "+rapid.SampledFrom([]string{"wal", "wal", "delete", "truncate", "persist", "memory"}).Draw(d.T, "journal"),
		"PRAGMA synchronous = 0", "PRAGMA wal_autocheckpoint = 0", "PRAGMA cache_size = 8",
		"CREATE TABLE a (x INTEGER PRIMARY KEY, y)", "CREATE TABLE b (k TEXT PRIMARY KEY, v) WITHOUT ROWID", "CREATE INDEX i ON a (y)",
	)
}

// step is one thing that an owner does.
func (d *databases) step() {
	n, long := rapid.IntRange(0, 30).Draw(d.T, "n"), rapid.SampledFrom([]int{1, 40, 600, 5000, 90000}).Draw(d.T, "long")
	d.do(rapid.SampledFrom([]string{
		fmt.Sprintf("REPLACE INTO a VALUES (%d, randomblob(%d))", n, long),
		fmt.Sprintf("REPLACE INTO b VALUES ('key %d', randomblob(%d))", n, long),
		fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<%d) REPLACE INTO a SELECT i, randomblob(%d) FROM n", n+1, min(long, 5000)),
		fmt.Sprintf("DELETE FROM a WHERE x > %d", n), fmt.Sprintf("DELETE FROM b WHERE k < 'key %d'", n),
		"DELETE FROM a", "VACUUM", "PRAGMA incremental_vacuum(3)", "PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(RESTART)",
		"PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode = wal", "PRAGMA journal_mode = delete",
	}).Draw(d.T, "statement"))
}

// TestInPlaceAsTheDriver: whatever an owner did with a database, in place it is what SQLite reads of it.
func TestInPlaceAsTheDriver(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := databases{T: r}
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		d.begin(dir)
		defer func() { _ = d.conn.Close() }()
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			d.step()
			got := ""
			err := (*Cache)(nil).InPlace(t.Context(), dir, d.path, func(db *sql.DB) error {
				got = dump(db, everything...)
				return nil
			})
			if want := dump(d.conn, everything...); got != want || err != nil {
				r.Fatalf("%.300s, %v; not %.300s", got, err, want)
			}
		}
	})
}

// TestInPlaceWhileItIsWritten: whatever an owner does between two questions, the answers are those of one moment.
func TestInPlaceWhileItIsWritten(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := databases{T: r}
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		d.begin(dir)
		defer func() { _ = d.conn.Close() }()
		for range rapid.IntRange(0, 6).Draw(r, "before") {
			d.step()
		}
		if rapid.Bool().Draw(r, "aged") {
			age(t, d.path)
		}
		var states []string
		note := func() { states = append(states, dump(d.conn, everything...)) }
		note()
		got, asked := "", 0
		err = (*Cache)(nil).InPlace(t.Context(), dir, d.path, func(db *sql.DB) error {
			got = dump(db, everything[0])
			if asked++; asked < 3 {
				for range rapid.IntRange(0, 3).Draw(r, "meanwhile") {
					d.step()
					note()
				}
			}
			got += dump(db, everything[1:]...)
			return nil
		})
		if err != nil || !slices.Contains(states, got) {
			r.Fatalf("%.300s, %v; not any of %.900q", got, err, states)
		}
	})
}

// TestInPlaceOtherLogs: a log whose sums were made by a machine of the other order, or of which the end is half written, uncommitted, or of
// before it began anew, is read as SQLite reads it.
func TestInPlaceOtherLogs(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := databases{T: r}
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		d.begin(dir)
		defer func() { _ = d.conn.Close() }()
		d.do("PRAGMA journal_mode = wal")
		for range rapid.IntRange(1, 8).Draw(r, "steps") {
			d.step()
		}
		main, err := os.ReadFile(d.path)
		log, missing := os.ReadFile(d.path + walSuffix)
		if err != nil || missing != nil || len(log) < walHeader {
			return
		}
		if rapid.Bool().Draw(r, "turned") {
			log = turned(log)
		}
		switch rapid.IntRange(0, 3).Draw(r, "end") {
		case 0:
			log = log[:rapid.IntRange(0, len(log)).Draw(r, "cut")]
		case 1:
			log[rapid.IntRange(0, len(log)-1).Draw(r, "bent")] ^= 1 << rapid.IntRange(0, 7).Draw(r, "bit")
		}
		there := filepath.Join(dir, "b.db")
		if err := errors.Join(os.WriteFile(there, main, 0o600), os.WriteFile(there+walSuffix, log, 0o600)); err != nil {
			r.Fatal(err)
		}
		got, want := "", ""
		err = (*Cache)(nil).InPlace(t.Context(), dir, there, func(db *sql.DB) error {
			got = dump(db, everything...)
			return nil
		})
		copied, release, failed := uncached.Open(context.Background(), dir, there)
		if failed == nil {
			want = dump(copied.DB, everything...)
			failed = errors.Join(copied.Cut, release())
		}
		if failed != nil { // SQLite does not open it, or knows that it is not whole
			want = nothingThere
		}
		if got != want && (failed == nil || err == nil) {
			r.Fatalf("%.300s, %v; not %.300s, %v", got, err, want, failed)
		}
	})
}

// turned is a log as a machine of the other order writes it.
func turned(log []byte) []byte {
	x := &walIndex{order: binary.LittleEndian}
	if log[3]&1 == 0 {
		x.order = binary.BigEndian
	}
	log[3] ^= 1
	seal := func(at []byte) {
		binary.BigEndian.PutUint32(at, x.sums[0])
		binary.BigEndian.PutUint32(at[4:], x.sums[1])
	}
	x.sum(log[:24])
	seal(log[24:])
	frame := frameHeader + int(binary.BigEndian.Uint32(log[8:]))
	for at := walHeader; at+frame <= len(log) && string(log[at+8:at+16]) == string(log[16:24]); at += frame {
		x.sum(log[at : at+8])
		x.sum(log[at+frameHeader : at+frame])
		seal(log[at+16:])
	}
	return log
}
