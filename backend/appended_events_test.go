package backend

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
)

const (
	eventsPlace = ".openclaw/agents/main/agent/openclaw-agent.sqlite"
	eventsID    = "openclaw:s1"
)

// eventsOf is a session of OpenClaw with so many messages that say something, in its database.
func eventsOf(t testing.TB, home string, messages int, says string) *sql.DB {
	t.Helper()
	return filledDatabase(t, home, eventsPlace, `
CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, model TEXT);
CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL, event_zstd BLOB, PRIMARY KEY (session_id, seq));
CREATE TABLE transcript_rewrite_watermarks (session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE session_transcript_archives (session_id TEXT, archive_name TEXT, encoding TEXT, archive_blob BLOB, created_at INTEGER);
CREATE TABLE session_transcript_cold_archives (session_id TEXT, archive_name TEXT, archive_blob BLOB);
INSERT INTO session_windows VALUES ('s1', 'agent:main:main', 1767348000000, 1767348000000, 'claude-opus-4-5');
INSERT INTO transcript_rewrite_watermarks VALUES ('s1', 'first', 1);
INSERT INTO transcript_events VALUES ('s1', 0, '{"type":"session","version":4,"id":"s1","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"}', 1767348000000, NULL)`, func(db *sql.DB) {
		for n := range messages {
			addEvent(t, db, n+1, says)
		}
	})
}

// addEvent adds the message with a number: a prompt or an answer in turn.
func addEvent(t testing.TB, db *sql.DB, n int, says string) {
	t.Helper()
	parent := "null"
	if n > 1 {
		parent = fmt.Sprintf(`"e%d"`, n-1)
	}
	message := fmt.Sprintf(`{"role":"user","content":%q}`, says)
	if n%2 == 0 {
		message = fmt.Sprintf(`{"role":"assistant","api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-5","content":[{"type":"text","text":%q}],"stopReason":"stop","usage":{"input":1,"output":1}}`, says)
	}
	event := fmt.Sprintf(`{"id":"e%d","parentId":%s,"timestamp":"2026-01-02T10:00:00.000Z","type":"message","message":%s}`, n, parent, message)
	at := 1767348000000 + n
	_, err := db.Exec("INSERT INTO transcript_events VALUES ('s1', ?, ?, ?, NULL)", n, event, at)
	newsMust(t, err)
	_, err = db.Exec("UPDATE session_windows SET updated_at = ?", at)
	newsMust(t, err)
}

// BenchmarkAppendedEvent is [BenchmarkAppendedRow] of a session of OpenClaw.
func BenchmarkAppendedEvent(b *testing.B) {
	byItself(b)
	const messages = 20_000
	home := b.TempDir()
	db := eventsOf(b, home, messages, strings.Repeat("said at length ", 2<<10/15))
	untilSeen(b, home, eventsID, func(n int) {
		_, err := db.Exec("BEGIN")
		newsMust(b, err)
		addEvent(b, db, messages+n, "grown")
		_, err = db.Exec("COMMIT")
		newsMust(b, err)
	})
}
