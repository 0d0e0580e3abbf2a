package codex

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // the driver

	"palimpsest/backend/sources/sourcetest"
)

// state makes a database of Codex's, with names that are only in its log yet, and leaves it open as Codex does.
func state(t *testing.T, path string, statements ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	for _, statement := range append([]string{"PRAGMA journal_mode=wal", "PRAGMA wal_autocheckpoint=0"}, statements...) {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
}

// TestNames: a name is in the database of the newest schema, wherever that is, or in the file of names; nothing is left beside either.
func TestNames(t *testing.T) {
	const table = "CREATE TABLE threads (id TEXT PRIMARY KEY, title TEXT, name TEXT)"
	insert := func(name string) string {
		return "INSERT INTO threads VALUES ('" + id + "', 'the first prompt', " + name + ")"
	}
	for name, c := range map[string]struct {
		make      func(t *testing.T, home string)
		variables []string
		want      string
	}{
		"in the file": {func(*testing.T, string) {}, nil, "in the file"},
		"in the database": {func(t *testing.T, home string) {
			state(t, home+"/.codex/state_5.sqlite", table, insert("'in the database'"))
		}, nil, "in the database"},
		"in a large database": {func(t *testing.T, home string) {
			state(t, home+"/.codex/state_5.sqlite", table, "INSERT INTO threads VALUES ('other', CAST(zeroblob(80 << 20) AS TEXT), NULL)",
				"PRAGMA wal_checkpoint(TRUNCATE)", insert("'in a large database'"))
		}, nil, "in a large database"},
		"a name without end": {func(t *testing.T, home string) {
			state(t, home+"/.codex/state_5.sqlite", table, insert("replace(hex(zeroblob(8 << 20)), '0', 'n')"))
		}, nil, "in the file"},
		"none there": {func(t *testing.T, home string) { state(t, home+"/.codex/state_5.sqlite", table, insert("NULL")) }, nil, "in the file"},
		"of two": {func(t *testing.T, home string) {
			state(t, home+"/.codex/state_5.sqlite", table, insert("'old'"))
			state(t, home+"/.codex/state_11.sqlite", table, insert("'new'"))
		}, nil, "new"},
		"before there were names": {func(t *testing.T, home string) {
			state(t, home+"/.codex/state_5.sqlite", "CREATE TABLE threads (id TEXT)")
		}, nil, "in the file"},
		"another table": {func(t *testing.T, home string) {
			state(t, home+"/.codex/state_5.sqlite", "CREATE TABLE other (id TEXT)")
		}, nil, "in the file"},
		"damaged": {func(t *testing.T, home string) { sourcetest.Write(t, home, ".codex/state_5.sqlite", "rubbish") }, nil, "in the file"},
		"moved": {func(t *testing.T, home string) {
			state(t, home+"/elsewhere/state_5.sqlite", table, insert("'moved'"))
		}, []string{"CODEX_SQLITE_HOME=~/elsewhere"}, "moved"},
		"moved by the settings": {func(t *testing.T, home string) {
			sourcetest.Write(t, home, ".codex/config.toml", "model = \"m\"\nsqlite_home = \"~/elsewhere\"\n[x]\n")
			state(t, home+"/elsewhere/state_5.sqlite", table, insert("'moved'"))
		}, nil, "moved"},
		"another setting": {func(t *testing.T, home string) {
			sourcetest.Write(t, home, ".codex/config.toml", "[x]\nsqlite_home = \"~/elsewhere\"\n")
			state(t, home+"/elsewhere/state_5.sqlite", table, insert("'moved'"))
		}, nil, "in the file"},
	} {
		t.Run(name, func(t *testing.T) {
			home := sourcetest.Home(t, map[string]string{
				place: envelope(0, header(id, ""), item(user("one"))), ".codex/session_index.jsonl": `{"id":"` + id + `","thread_name":"in the file"}` + "\n",
			})
			c.make(t, home)
			sourcetest.Unchanged(t, home, func() {
				found := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.EnvWith(t, home, c.variables...)))
				if found.Title != c.want {
					t.Errorf("%q, not %q", found.Title, c.want)
				}
			})
		})
	}
}
