package opencode

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/sources/sqlite"
)

// TestCutIndexesAreReplacedOnce: where the indexes of a database are cut off, its tables are looked through once for all sessions, not once
// for each.
func TestCutIndexesAreReplacedOnce(t *testing.T) {
	for name, owner := range map[string]string{"parts that name their session": "session_id", "parts that name their message": "other"} {
		home := t.TempDir()
		path := database(t, home, "opencode.db")
		const sessions, messages = 60, 30
		change(t, path, "ALTER TABLE part RENAME COLUMN session_id TO "+owner,
			`CREATE TABLE n AS WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n LIMIT 60) SELECT n FROM n`,
			`INSERT INTO session SELECT printf('ses_%02d', n), 'p', NULL, 'T', '1.2.0', '/w', NULL, 1767348000000, 1767348060000, NULL FROM n`,
			`INSERT INTO message SELECT printf('msg_%02d_%02d', s.n, m.n), printf('ses_%02d', s.n), 1767348000000 + m.n, '{"role":"user","time":{"created":1767348000000}}' FROM n m, n s WHERE m.n < 30`,
			`INSERT INTO part SELECT printf('prt_%02d_%02d', s.n, m.n), printf('msg_%02d_%02d', s.n, m.n), printf('ses_%02d', s.n), json_object('type', 'text', 'text', printf('said %d in %d ', m.n, s.n) || hex(zeroblob(1500))) FROM n m, n s WHERE m.n < 30`)
		before, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		change(t, path, "CREATE INDEX m ON message(session_id, time_created, id)", "CREATE INDEX p ON part(message_id, id)")
		long := time.Now().Add(-time.Hour) // a database that was just written is copied again
		if err := errors.Join(os.Truncate(path, before.Size()), os.Chtimes(path, long, long)); err != nil {
			t.Fatal(err)
		}
		var copies sqlite.Cache
		t.Cleanup(func() { _ = copies.Close() })
		source, env := Source{Databases: &copies}, sourcetest.Env(t, home)
		found := sourcetest.Find(t, source, env)
		was := bytesRead(t)
		read := 0
		for _, f := range found {
			if f.ID == "opencode.db" {
				continue
			}
			var n int
			if _, err := fmt.Sscanf(f.ID, "ses_%d", &n); err != nil {
				t.Fatal(err)
			}
			r := sourcetest.Read(t, source, env, f)
			for m := range messages {
				if !bytes.Contains(r.Log, fmt.Appendf(nil, "said %d in %d ", m, n)) {
					t.Fatalf("%s: message %d of %s is not shown", name, m, f.ID)
				}
			}
			read++
		}
		if took := bytesRead(t) - was; read != sessions || took > 8*before.Size() {
			t.Errorf("%s: %d sessions, %d bytes read of a file of %d", name, read, took, before.Size())
		}
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
