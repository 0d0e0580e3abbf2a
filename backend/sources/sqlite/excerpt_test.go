package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// made is a database of these statements.
func made(t *testing.T, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "agent.db")
	run(t, path, statements...)
	return path
}

func run(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", address(path, nil))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// sessionRows are those of session a.
var sessionRows = Rows{
	ID: "a", Own: []Column{{"session", "id"}}, Names: []string{"session_id"},
	Links: []Link{{Column{"part", "message_id"}, Column{"message", "id"}}, {Column{"project", "id"}, Column{"session", "project_id"}}},
	Not:   []string{"elsewhere"},
}

const twoSessions = `
CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT REFERENCES session);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT);
CREATE TABLE project (id TEXT PRIMARY KEY, name TEXT);
CREATE INDEX of_message ON part (message_id);
CREATE INDEX of_a_part ON part (message_id) WHERE data IS NULL;
CREATE INDEX of_an_expression ON part (length(data));
INSERT INTO session VALUES ('a', 'p', NULL), ('b', 'q', 'a');
INSERT INTO message VALUES ('m1', 'a', 'one'), ('m2', 'b', 'of b'), ('m3', 'a', 'three');
INSERT INTO part VALUES ('1', 'm3', 'x'), ('2', 'm2', 'of b'), ('3', 'm1', 'y');
INSERT INTO project VALUES ('p', 'mine'), ('q', 'of b');`

// excerptOf takes session a out of a database, and returns the answers to queries, a line each.
func excerptOf(t *testing.T, path string, queries ...string) string {
	t.Helper()
	temp, to := t.TempDir(), filepath.Join(t.TempDir(), "excerpt")
	before := traces(t, filepath.Dir(path))
	if err := (*Cache)(nil).Excerpt(t.Context(), temp, path, to, sessionRows); err != nil {
		t.Fatal(err)
	}
	if after := traces(t, filepath.Dir(path)); !maps.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
	if left := traces(t, temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if left := traces(t, filepath.Dir(to)); len(left) != 1 {
		t.Errorf("beside the excerpt: %v", left)
	}
	db, cleanup, err := uncached.Open(t.Context(), temp, to)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cleanup() }()
	var out []string
	for _, query := range append([]string{"PRAGMA integrity_check"}, queries...) {
		var answer Text
		if err := db.QueryRow(query).Scan(&answer); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		out = append(out, string(answer))
	}
	return strings.Join(out, "\n")
}

func TestExcerpt(t *testing.T) {
	const all = "SELECT group_concat(id, ' ') FROM "
	for name, tt := range map[string]struct {
		more  string
		query string
		want  string
	}{
		"messages":                   {"", all + "message", "m1 m3"},
		"by way of messages":         {"", all + "part", "1 3"},
		"its own row":                {"", all + "session", "a"},
		"what it refers to":          {"", all + "project", "p"},
		"indexes of columns":         {"", "SELECT group_concat(name, ' ') FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL", "of_message"},
		"version":                    {"PRAGMA user_version = 23", "PRAGMA user_version", "23"},
		"unknown, by name":           {"CREATE TABLE later (session_id, x); INSERT INTO later VALUES ('b', 1), ('a', 2)", "SELECT group_concat(x) FROM later", "2"},
		"unknown, by a foreign key":  {"CREATE TABLE later (of REFERENCES session(id), x); INSERT INTO later VALUES ('b', 1), ('a', 2)", "SELECT group_concat(x) FROM later", "2"},
		"by one without a column":    {"CREATE TABLE later (of REFERENCES session, x); INSERT INTO later VALUES ('b', 1), ('a', 2)", "SELECT group_concat(x) FROM later", "2"},
		"named, and refers":          {"CREATE TABLE later (session_id, from_id REFERENCES session(id)); INSERT INTO later VALUES ('b', 'a')", "SELECT count(*) FROM later", "0"},
		"of no session":              {"CREATE TABLE token (x); INSERT INTO token VALUES ('secret')", "SELECT count(*) FROM token", "0"},
		"left out":                   {"CREATE TABLE elsewhere (session_id); INSERT INTO elsewhere VALUES ('a')", "SELECT count(*) FROM elsewhere", "0"},
		"triggers":                   {"CREATE TRIGGER bad AFTER INSERT ON message BEGIN DELETE FROM session; END", "SELECT (SELECT count(*) FROM session) || (SELECT count(*) FROM sqlite_schema WHERE type = 'trigger')", "10"},
		"views":                      {"CREATE VIEW v AS SELECT 'a' AS session_id", "SELECT count(*) FROM sqlite_schema WHERE type = 'view'", "0"},
		"full text":                  {"CREATE VIRTUAL TABLE words USING fts5(text, session_id UNINDEXED); INSERT INTO words VALUES ('of b', 'b')", "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'words%'", "0"},
		"strict":                     {"CREATE TABLE s (session_id TEXT, n INTEGER) STRICT; INSERT INTO s VALUES ('a', 5)", "SELECT n || (SELECT strict FROM pragma_table_list WHERE name = 's') FROM s", "51"},
		"without rowid":              {"CREATE TABLE s (n, session_id, PRIMARY KEY (session_id, n)) WITHOUT ROWID; INSERT INTO s VALUES (2, 'a'), (1, 'a'), (3, 'b')", "SELECT group_concat(n) FROM s", "1,2"},
		"worked out":                 {"CREATE TABLE s (session_id, n, twice AS (n * 2), thrice AS (n * 3) STORED); INSERT INTO s VALUES ('a', 4)", "SELECT twice || thrice FROM s", "812"},
		"checks that fail":           {"CREATE TABLE s (session_id, n CHECK (n < 3)); PRAGMA ignore_check_constraints = 1; INSERT INTO s VALUES ('a', 4)", "SELECT n FROM s", "4"},
		"a semicolon":                {"CREATE TABLE s (session_id, n DEFAULT ';'); INSERT INTO s VALUES ('a', 4)", "SELECT n FROM s", "4"},
		"a column named rowid":       {"CREATE TABLE s (session_id, rowid, oid); INSERT INTO s VALUES ('a', 4, 5)", "SELECT rowid || oid FROM s", "45"},
		"all names of rowid":         {"CREATE TABLE s (session_id, rowid, OID, _rowid_); INSERT INTO s VALUES ('a', 4, 5, 6)", "SELECT rowid || oid FROM s", "45"},
		"names that need quotes":     {`CREATE TABLE "s "" '" (session_id, "order by" TEXT); INSERT INTO "s "" '" VALUES ('a', 4)`, `SELECT "order by" FROM "s "" '"`, "4"},
		"what is no text":            {"CREATE TABLE s (session_id TEXT, d DATETIME, b BLOB); INSERT INTO s VALUES ('a', 'not a date', x'ff00'), ('a', CAST(x'fffe' AS TEXT), x'')", "SELECT group_concat(hex(d) || typeof(d) || coalesce(hex(b), '-')) FROM s", "6E6F7420612064617465textFF00,FFFEtext"},
		"numbered, and what is gone": {"CREATE TABLE s (n INTEGER PRIMARY KEY AUTOINCREMENT, session_id); INSERT INTO s VALUES (7, 'a'), (9, 'b')", "SELECT group_concat(n) FROM s", "7"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := excerptOf(t, made(t, twoSessions, tt.more), tt.query); got != "ok\n"+tt.want {
				t.Errorf("%s, not %s", got, tt.want)
			}
		})
	}
}

// TestSchemaOfAStranger: of a schema that somebody changed by hand, nothing but the making of tables is ever run.
func TestSchemaOfAStranger(t *testing.T) {
	for _, schema := range []string{"sql || '; INSERT INTO message VALUES (''bad'', ''a'', NULL)'", "'CREATE TABLE s AS SELECT randomblob(9) AS session_id'", "'DROP TABLE message'"} {
		path := made(t, twoSessions, "CREATE TABLE s (session_id, n)", "INSERT INTO s VALUES ('a', 4)", "PRAGMA writable_schema = 1", "UPDATE sqlite_schema SET sql = "+schema+" WHERE name = 's'")
		to := filepath.Join(t.TempDir(), "excerpt")
		if err := (*Cache)(nil).Excerpt(t.Context(), t.TempDir(), path, to, sessionRows); err == nil || !strings.Contains(err.Error(), "malformed") {
			t.Errorf("%s: %v", schema, err)
		}
		if left := traces(t, filepath.Dir(to)); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestExcerptInAnotherEncoding(t *testing.T) {
	path := made(t, "PRAGMA encoding = 'UTF-16le'", twoSessions, "UPDATE message SET data = 'ä猫' WHERE id = 'm1'")
	if got := excerptOf(t, path, "SELECT data FROM message WHERE id = 'm1'"); got != "ok\nä猫" {
		t.Error(got)
	}
}

// TestExcerptWhileItIsWritten: what is only in the log of a writer goes with it, a transaction that is not done does not.
func TestExcerptWhileItIsWritten(t *testing.T) {
	path := made(t, twoSessions, "PRAGMA journal_mode = wal")
	db, err := sql.Open("sqlite", address(path, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"PRAGMA wal_autocheckpoint = 0", "INSERT INTO message VALUES ('m4', 'a', 'only in the log')", "BEGIN EXCLUSIVE", "INSERT INTO message VALUES ('m5', 'a', 'not done')",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	if got := excerptOf(t, path, "SELECT group_concat(id, ' ') FROM message"); got != "ok\nm1 m3 m4" {
		t.Error(got)
	}
}

// TestSameRowsSameBytes: what others write, and how the database stands in its file, changes nothing.
func TestSameRowsSameBytes(t *testing.T) {
	path := made(t, twoSessions)
	take := func() []byte {
		to := filepath.Join(t.TempDir(), "excerpt")
		if err := (*Cache)(nil).Excerpt(t.Context(), t.TempDir(), path, to, sessionRows); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	first := take()
	for _, statement := range []string{
		"PRAGMA journal_mode = wal", "INSERT INTO message SELECT 'n' || value, 'b', hex(randomblob(900)) FROM generate_series(1, 1)", "DELETE FROM message WHERE session_id = 'b'", "VACUUM", "PRAGMA page_size = 8192; VACUUM",
	} {
		if strings.Contains(statement, "generate_series") {
			statement = "WITH RECURSIVE s(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM s WHERE value < 300) INSERT INTO message SELECT 'n' || value, 'b', hex(randomblob(900)) FROM s"
		}
		run(t, path, statement)
		if !bytes.Equal(first, take()) {
			t.Errorf("%s: other bytes", statement)
		}
	}
	if bytes.Contains(first, []byte("of b")) {
		t.Error("another session went with it")
	}
	run(t, path, "UPDATE message SET data = 'changed' WHERE id = 'm1'")
	if bytes.Equal(first, take()) {
		t.Error("another row, and the same bytes: the test shows nothing")
	}
}

// TestNoExcerpt: what can't be read leaves nothing.
func TestNoExcerpt(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	whole := made(t, twoSessions, "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 200) INSERT INTO message SELECT 'n' || n, 'a', hex(randomblob(900)) FROM s")
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	harmed := filepath.Join(t.TempDir(), "agent.db")
	copy(text[len(text)/2:], bytes.Repeat([]byte{0xee}, 60_000))
	if err := os.WriteFile(harmed, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		ctx  context.Context //nolint:containedctx // a case
		path string
		want error
	}{
		"gone": {t.Context(), filepath.Join(t.TempDir(), "none"), os.ErrNotExist}, "stopped": {stopped, whole, context.Canceled},
		"nothing of it": {t.Context(), made(t, "CREATE TABLE session (id)"), ErrNoRows}, "damaged inside": {t.Context(), harmed, nil},
	} {
		to := filepath.Join(t.TempDir(), "excerpt")
		err := (*Cache)(nil).Excerpt(tt.ctx, t.TempDir(), tt.path, to, sessionRows)
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
		if left := traces(t, filepath.Dir(to)); len(left) > 0 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
}
