package openclaw

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/sources/sqlite"
)

// TestCutIndexIsReplacedOnce: where the index of a database is cut off, its table is looked through once for all sessions, not once for each,
// in a list and where each is read.
func TestCutIndexIsReplacedOnce(t *testing.T) {
	const sessions, events = 40, 50
	home := t.TempDir()
	path := database(t, home, `{"type":"session","version":4,"id":"s1"}`,
		`DROP TABLE transcript_events; CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB);
		CREATE TABLE n AS WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n LIMIT 50) SELECT n FROM n;
		INSERT INTO session_windows SELECT printf('session-%02d', n), 'k' || n, NULL, NULL, 1767348000000, 1767348060000, 'm' FROM n WHERE n < 40;
		INSERT INTO transcript_events SELECT printf('session-%02d', s.n), e.n, json_object('id', 'e' || e.n, 'type', 'message', 'message',
			json_object('role', 'user', 'content', printf('Said %d in %d. ', e.n, s.n) || hex(zeroblob(1500)))), NULL FROM n e, n s WHERE s.n < 40`)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("CREATE INDEX e ON transcript_events(session_id, seq)")
	long := time.Now().Add(-time.Hour) // a database that was just written is copied again
	if err := errors.Join(err, db.Close(), os.Truncate(path, before.Size()), os.Chtimes(path, long, long)); err != nil {
		t.Fatal(err)
	}
	var copies sqlite.Cache
	t.Cleanup(func() { _ = copies.Close() })
	source, env, was := Source{Databases: &copies}, sourcetest.Env(t, home), bytesRead(t)
	found := sourcetest.ByID(sourcetest.Find(t, source, env))
	for n := range sessions {
		f, listed := found[fmt.Sprintf("session-%02d", n)]
		if !listed || f.FirstMessage == "" {
			t.Fatalf("session %d is not listed as it is: %+v", n, f)
		}
		r := sourcetest.Read(t, source, env, f)
		for seq := range events {
			if !bytes.Contains(r.Log, fmt.Appendf(nil, "Said %d in %d. ", seq, n)) {
				t.Fatalf("event %d of session %d is not shown", seq, n)
			}
		}
	}
	if took := bytesRead(t) - was; took > 10*before.Size() {
		t.Errorf("%d bytes read of a file of %d", took, before.Size())
	}
}

// bytesRead is how much this process has read so far.
func bytesRead(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skip("nobody counts what is read here:", err)
	}
	var n int64
	if _, err := fmt.Sscanf(string(text), "rchar: %d", &n); err != nil {
		t.Fatal(err)
	}
	return n
}
