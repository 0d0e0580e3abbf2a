package backend

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/openclaw"
	"palimpsest/backend/sources/opencode"
)

const (
	rowsPlace = ".local/share/opencode/opencode.db"
	rowsID    = "opencode:ses_1"
)

// rowsOf is a session of opencode with so many messages that say something, in its database.
func rowsOf(t testing.TB, home string, messages int, says string) *sql.DB {
	t.Helper()
	return filledDatabase(t, home, rowsPlace, `
CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, title text NOT NULL, version text NOT NULL, directory text NOT NULL, revert text, time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE event_sequence (aggregate_id text PRIMARY KEY, seq integer NOT NULL);
CREATE TABLE event (id text PRIMARY KEY, aggregate_id text NOT NULL, seq integer NOT NULL, type text NOT NULL, data text NOT NULL);
CREATE UNIQUE INDEX event_aggregate_seq_idx ON event (aggregate_id, seq);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
CREATE INDEX part_session_idx ON part (session_id);
INSERT INTO session VALUES ('ses_1', 'p', NULL, 'T', '1.18.0', '/w', NULL, 1767348000000, 1767348000000, NULL);
INSERT INTO event_sequence VALUES ('ses_1', -1)`, func(db *sql.DB) {
		for n := range messages {
			addRow(t, db, n, says)
		}
	})
}

// filledDatabase is a new one that an agent has in a place, with what is put into it.
func filledDatabase(t testing.TB, home, place, schema string, fill func(db *sql.DB)) *sql.DB {
	t.Helper()
	path := filepath.Join(home, filepath.FromSlash(place))
	newsMust(t, os.MkdirAll(filepath.Dir(path), 0o700))
	db, err := sql.Open("sqlite", path)
	newsMust(t, err)
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	do := func(query string) {
		_, err := db.Exec(query)
		newsMust(t, err)
	}
	do("PRAGMA journal_mode = wal; PRAGMA synchronous = normal;" + schema + "; BEGIN")
	fill(db)
	do("COMMIT; PRAGMA wal_checkpoint(truncate)") // else its log stays as long
	return db
}

// addRow adds a message: a prompt or an answer in turn.
func addRow(t testing.TB, db *sql.DB, n int, says string) {
	t.Helper()
	message, at := fmt.Sprintf("msg_%08d", n), 1767348000000+n
	info := fmt.Sprintf(`{"role":"user","time":{"created":%d}}`, at)
	if n%2 == 1 {
		info = fmt.Sprintf(`{"role":"assistant","modelID":"m","providerID":"p","finish":"stop","time":{"created":%d,"completed":%d},"tokens":{"input":1,"output":1}}`, at, at)
	}
	for query, args := range map[string][]any{
		"INSERT INTO message VALUES (?, 'ses_1', ?, ?, ?)":   {message, at, at, info},
		"INSERT INTO part VALUES (?, ?, 'ses_1', ?, ?, ?)":   {fmt.Sprintf("prt_%08d", n), message, at, at, fmt.Sprintf(`{"type":"text","text":%q}`, says)},
		"UPDATE session SET time_updated = ?":                {at},
		"INSERT INTO event VALUES (?, 'ses_1', ?, ?, ?)":     {fmt.Sprintf("evt_%d", 2*n), 2 * n, "message.updated.1", fmt.Sprintf(`{"info":{"id":%q}}`, message)},
		"INSERT INTO event VALUES (?, 'ses_1', ?, ?, ?) -- ": {fmt.Sprintf("evt_%d", 2*n+1), 2*n + 1, "message.part.updated.1", fmt.Sprintf(`{"part":{"messageID":%q}}`, message)},
		"UPDATE event_sequence SET seq = ?":                  {2*n + 1},
	} {
		_, err := db.Exec(query, args...)
		newsMust(t, err)
	}
}

// TestAnAppendedRowIsReadOn: a session in a database that gets a message more is not read from its beginning, neither for the index nor for who
// looks at it, and is what it would be had all been read.
func TestAnAppendedRowIsReadOn(t *testing.T) {
	const few = 40
	t.Run("opencode", func(t *testing.T) {
		home := t.TempDir()
		db := rowsOf(t, home, few, "said")
		rowsAreReadOn(t, opencode.Source{}, home, rowsID, few, func(n int) { addRow(t, db, n, "grown") })
	})
	t.Run("openclaw", func(t *testing.T) {
		home := t.TempDir()
		db := eventsOf(t, home, few, "said")
		rowsAreReadOn(t, openclaw.Source{}, home, eventsID, few+1, func(n int) { addEvent(t, db, n, "grown") })
	})
}

// rowsAreReadOn adds messages to a session of so many records.
func rowsAreReadOn(t *testing.T, source sources.Follower, home, id string, records int, add func(n int)) {
	t.Helper()
	const more = 6
	counted := &counting{Follower: source}
	b := staying(t, home, counted)
	awaitIndex(t, b, "scanned", ready(1))
	b.indexing.scanner.Pause()
	for n := range more {
		if n == 2 { // the first of each reads what is kept then
			counted.times.Store(0)
		}
		add(records + n)
		_, err := b.library.List(t.Context())
		newsMust(t, err)
		page, err := b.Page(id, PageOptions{Limit: 1})
		newsMust(t, err)
		listing, err := b.indexing.stock.List(t.Context(), nil)
		newsMust(t, err)
		newsMust(t, b.indexing.stock.Read(t.Context(), listing.Items[0], func() error { return nil }))
		if page.Total != records+n+1 || hits(t, b, "grown") != n+1 {
			t.Fatalf("%d records and %d hits with %d more", page.Total, hits(t, b, "grown"), n+1)
		}
	}
	if times := counted.times.Load(); times > 0 {
		t.Errorf("it was read from the beginning %d times", times)
	}
	got, _, err := b.indexing.index.Session(t.Context(), id)
	newsMust(t, err)
	if want := scanNow(t, scanOf(t, home, t.TempDir(), source), id); !bytes.Equal(got.Digest, want) {
		t.Errorf("it is\n%s\nand not\n%s", got.Digest, want)
	}
}

// BenchmarkAppendedRow is [BenchmarkAppendedLine] of a session of 20,000 messages, 40 MB, in a database.
func BenchmarkAppendedRow(b *testing.B) {
	byItself(b)
	const messages = 20_000
	home := b.TempDir()
	db := rowsOf(b, home, messages, strings.Repeat("said at length ", 2<<10/15))
	untilSeen(b, home, rowsID, func(n int) {
		_, err := db.Exec("BEGIN")
		newsMust(b, err)
		addRow(b, db, messages+n-1, "grown")
		_, err = db.Exec("COMMIT")
		newsMust(b, err)
	})
}
