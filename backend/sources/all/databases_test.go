package all

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // what other agents write with

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/sources/sqlite"
)

// stores are the databases of the agents that have one: where each stands, its tables and the rows of one session.
var stores = map[string]struct{ agent, place, tables, rows, said string }{
	"opencode": {
		"opencode", ".local/share/opencode/opencode.db",
		`CREATE TABLE session (id, title, version, directory, time_created, time_updated); CREATE TABLE message (id, session_id, time_created, data); CREATE TABLE part (id, message_id, session_id, data)`,
		`INSERT INTO session VALUES ('s1', 'T', '1.2.0', '/w', 1767348000000, 1767348060000); INSERT INTO message VALUES ('m1', 's1', 1, '{"role":"user","time":{"created":1}}');
INSERT INTO part VALUES ('p1', 'm1', 's1', '{"type":"text","text":"the words"}')`,
		"the words",
	},
	"openclaw": {
		"openclaw", ".openclaw/agents/main/agent/openclaw-agent.sqlite",
		`CREATE TABLE session_windows (session_id, session_key, created_at, updated_at, model); CREATE TABLE session_nodes (session_key, current_session_id, entry_json); CREATE TABLE transcript_events (session_id, seq, event_json, event_zstd)`,
		`INSERT INTO session_windows VALUES ('s1', 'k', 1767348000000, 1767348060000, 'm'); INSERT INTO transcript_events VALUES ('s1', 0, '{"type":"session","version":3,"id":"s1","cwd":"/w"}', NULL),
 ('s1', 1, '{"id":"a","parentId":null,"type":"message","message":{"role":"user","content":"the words"}}', NULL)`,
		"the words",
	},
	"crabtalk": {
		"crabtalk", ".crabtalk/crabtalk.db",
		`CREATE TABLE sessions (handle, title); CREATE TABLE session_messages (session_handle, idx, entry_json, PRIMARY KEY (session_handle, idx))`,
		`INSERT INTO sessions VALUES ('s1', 'T'); INSERT INTO session_messages VALUES ('s1', 0, '{"message":{"role":"user","content":"the words"}}')`,
		"the words",
	},
	"codex": {
		"codex", ".codex/state_5.sqlite", `CREATE TABLE threads (id, name)`, `INSERT INTO threads VALUES ('` + threadID + `', 'the words')`, "the words",
	},
}

// live is a database that somebody writes with one connection, and statements that were run there.
func live(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// closed is one that nobody writes any more.
func closed(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
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

// crashed is what a writer's files were while it still wrote.
func crashed(t *testing.T, path string, statements ...string) {
	t.Helper()
	there := filepath.Join(t.TempDir(), "live.db")
	live(t, there, statements...)
	for _, suffix := range []string{"", "-wal", "-journal"} {
		if text, err := os.ReadFile(there + suffix); err == nil {
			sourcetest.Write(t, filepath.Dir(path), filepath.Base(path)+suffix, string(text))
		}
	}
}

// expected is what becomes of a database.
type expected int

const (
	rows    expected = iota // its session is read
	problem                 // it is told why it is not
	nothing                 // there is none
	either                  // the one or the other, as long as nothing breaks
)

type hostile struct {
	want expected
	make func(t *testing.T, path, tables, filled string)
}

const wal = "PRAGMA journal_mode = wal"

var hostiles = map[string]hostile{
	"plain": {rows, func(t *testing.T, path, tables, filled string) { closed(t, path, tables, filled) }},
	"locked": {rows, func(t *testing.T, path, tables, filled string) {
		live(t, path, tables, filled, "BEGIN EXCLUSIVE", "CREATE TABLE later (x)")
	}},
	"locked for good": {rows, func(t *testing.T, path, tables, filled string) {
		live(t, path, "PRAGMA locking_mode = exclusive", tables, filled)
	}},
	"locked for good, with a log": {rows, func(t *testing.T, path, tables, filled string) {
		live(t, path, "PRAGMA locking_mode = exclusive", wal, tables, filled)
	}},
	"all in the log": {rows, func(t *testing.T, path, tables, filled string) {
		crashed(t, path, wal, "PRAGMA wal_autocheckpoint = 0", tables, filled)
	}},
	"all in the log, an empty file": {problem, func(t *testing.T, path, tables, filled string) {
		crashed(t, path, wal, "PRAGMA wal_autocheckpoint = 0", tables, filled)
		truncate(t, path, 0)
	}},
	"a log alone": {nothing, func(t *testing.T, path, tables, filled string) {
		crashed(t, path, wal, "PRAGMA wal_autocheckpoint = 0", tables, filled)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}},
	"a log that is none": {rows, func(t *testing.T, path, tables, filled string) {
		closed(t, path, wal, tables, filled)
		sourcetest.Write(t, filepath.Dir(path), filepath.Base(path)+"-wal", strings.Repeat("rubbish ", 999))
	}},
	"cut": {problem, func(t *testing.T, path, tables, filled string) {
		closed(t, path, tables, filled)
		truncate(t, path, 5000)
	}},
	"cut to its header": {problem, func(t *testing.T, path, tables, filled string) {
		closed(t, path, tables, filled)
		truncate(t, path, 60)
	}},
	"rubbish behind the magic": {problem, func(t *testing.T, path, _, _ string) {
		sourcetest.Write(t, filepath.Dir(path), filepath.Base(path), "SQLite format 3\x00"+strings.Repeat("\xfe\x01", 9000))
	}},
	"a hot journal": {rows, func(t *testing.T, path, tables, filled string) {
		crashed(t, path, tables, filled, "CREATE TABLE big (x)", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO big SELECT randomblob(3000) FROM n",
			"PRAGMA cache_size = 5", "BEGIN", "UPDATE big SET x = randomblob(3000)")
	}},
	"other tables": {either, func(t *testing.T, path, _, _ string) { closed(t, path, "CREATE TABLE other (x)") }},
	"more columns": {rows, func(t *testing.T, path, tables, filled string) {
		closed(t, path, tables, filled)
		for _, name := range []string{"session", "message", "part", "session_windows", "transcript_events", "threads"} {
			if strings.Contains(tables, "TABLE "+name+" ") {
				closed(t, path, "ALTER TABLE "+name+" ADD COLUMN later BLOB DEFAULT x'ff'")
			}
		}
	}},
	"fewer columns": {either, func(t *testing.T, path, tables, filled string) {
		closed(t, path, tables, filled)
		for name, column := range map[string]string{"session": "title", "part": "message_id", "session_windows": "session_key", "transcript_events": "event_json", "threads": "name"} {
			if strings.Contains(tables, "TABLE "+name+" ") {
				closed(t, path, "ALTER TABLE "+name+" DROP COLUMN "+column)
			}
		}
	}},
	"values of other types": {rows, func(t *testing.T, path, tables, filled string) {
		closed(t, path, tables, filled)
		for _, value := range []string{"NULL", "7", "1.5", "x'fffe00'", "CAST(x'fffe41' AS TEXT)", "'\x01'"} {
			for _, name := range []string{"session", "message", "part", "session_windows", "session_nodes", "transcript_events", "threads"} {
				if _, tail, is := strings.Cut(tables, "TABLE "+name+" ("); is {
					columns, _, _ := strings.Cut(tail, ")")
					n := strings.Count(columns, ",") + 1
					closed(t, path, "INSERT INTO "+name+" VALUES ("+strings.TrimSuffix(strings.Repeat(value+",", n), ",")+")")
				}
			}
		}
	}},
	"invalid text": {rows, func(t *testing.T, path, tables, filled string) {
		closed(t, path, tables, strings.ReplaceAll(filled, "'T'", "CAST(x'fffe' AS TEXT)"))
	}},
	"a link": {rows, func(t *testing.T, path, tables, filled string) {
		there := filepath.Join(t.TempDir(), "elsewhere.db")
		closed(t, there, tables, filled)
		if err := os.Symlink(there, path); err != nil {
			t.Skip(err)
		}
	}},
	"a link to nowhere": {nothing, func(t *testing.T, path, _, _ string) {
		if err := os.Symlink(filepath.Join(t.TempDir(), "none"), path); err != nil {
			t.Skip(err)
		}
	}},
	"a directory": {nothing, func(t *testing.T, path, _, _ string) {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}},
	"nothing written yet": {either, func(t *testing.T, path, _, _ string) {
		sourcetest.Write(t, filepath.Dir(path), filepath.Base(path), "")
	}},
	"where nobody may write": {rows, func(t *testing.T, path, tables, filled string) {
		closed(t, path, wal, tables, filled)
		if err := os.Chmod(filepath.Dir(path), 0o500); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o700) })
	}},
}

func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

// TestHostileDatabases: whatever a database is, its session is read or it is told why not, and nothing there changes.
func TestHostileDatabases(t *testing.T) {
	for name, store := range stores {
		for what, bad := range hostiles {
			t.Run(name+"/"+what, func(t *testing.T) {
				env := sourcetest.Env(t, t.TempDir())
				path := filepath.Join(env.Home, filepath.FromSlash(store.place))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if name == "codex" {
					for file, text := range sessions["codex"].files([]string{"one"}, "no") {
						sourcetest.Write(t, env.Home, file, text)
					}
				}
				bad.make(t, path, store.tables, store.rows)
				before := sourcetest.Traces(t, env.Home)
				cache := &sqlite.Cache{}
				defer func() { _ = cache.Close() }()
				all := Sources(cache)
				source := all[slices.IndexFunc(all, func(s sources.Source) bool { return s.Agent() == store.agent })]
				read, told := false, false
				for _, f := range sourcetest.Find(t, source, env) {
					r := sourcetest.Read(t, source, env, f)
					read = read || r.Err == nil && bytes.Contains(r.Log, []byte(store.said)) || f.Title == store.said
					told = told || f.Problem != "" && r.Err != nil || name == "codex" // the names of Codex are gone, its sessions are not
				}
				if after := sourcetest.Traces(t, env.Home); after != before {
					t.Errorf("before:\n%s\nafter:\n%s", before, after)
				}
				switch bad.want {
				case rows:
					if !read {
						t.Error("its session was not read")
					}
				case problem:
					if read || !told {
						t.Errorf("it was read: %t, and told of: %t", read, told)
					}
				case nothing:
					if read {
						t.Error("something was read")
					}
				case either:
				}
			})
		}
	}
}
