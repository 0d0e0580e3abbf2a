package crabtalk

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // what CrabTalk wrote with

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/sources/sqlite"
)

// The two forms of CrabTalk's databases: with a table for messages and one for what is told of runs, and with one for all keys.
const (
	sessionsTable = `CREATE TABLE sessions (handle TEXT PRIMARY KEY, agent TEXT NOT NULL, created_by TEXT NOT NULL, title TEXT NOT NULL DEFAULT '',
 created_at TEXT NOT NULL, updated_at TEXT NOT NULL DEFAULT '', message_count INTEGER NOT NULL DEFAULT 0, summary TEXT, archive TEXT)`
	messagesTables = `CREATE TABLE session_messages (session_handle TEXT NOT NULL REFERENCES sessions(handle) ON DELETE CASCADE, idx INTEGER NOT NULL, entry_json TEXT NOT NULL, PRIMARY KEY (session_handle, idx));
CREATE TABLE session_events (session_handle TEXT NOT NULL REFERENCES sessions(handle) ON DELETE CASCADE, idx INTEGER NOT NULL, ts TEXT NOT NULL, kind TEXT NOT NULL, payload_json TEXT NOT NULL, PRIMARY KEY (session_handle, idx))`
	kvTable = `CREATE TABLE kv (col INTEGER NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (col, key));
CREATE VIRTUAL TABLE session_search USING fts5(body, session_handle UNINDEXED)`
	h1, h2 = "01JZ1111111111111111111111", "01JZ2222222222222222222222"
)

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// row is that of a session.
func row(handle, title, archive string) string {
	return fmt.Sprintf(`INSERT INTO sessions VALUES (%q, 'crab', 'user', %q, '2026-08-01T10:00:00+00:00', '2026-08-01T11:00:00+00:00', 4, 'What was said', %s)`, handle, title, archive)
}

// inTables is a session in tables of their own, inKeys one among keys; both with the messages of a story that went on.
func inTables(handle, title, archive string) (statements []string) {
	statements = append(statements, row(handle, title, archive))
	for i, m := range talk[8:12] {
		statements = append(statements, fmt.Sprintf("INSERT INTO session_messages VALUES (%q, %d, %s)", handle, i*5, quoted(m)))
	}
	return append(statements, fmt.Sprintf("INSERT INTO session_events VALUES (%q, 0, 'x', 'done', %s)", handle, quoted(talk[6])))
}

func inKeys(handle, title, archive string) (statements []string) {
	put := func(col int, key, value string) {
		statements = append(statements, fmt.Sprintf("INSERT INTO kv VALUES (%d, CAST(%s AS BLOB), CAST(%s AS BLOB))", col, quoted("local/"+key), quoted(value)))
	}
	statements = append(statements, row(handle, title, "NULL"))
	put(1, "session/"+handle+"/meta", `{"agent":"a","created_by":"user","title":"`+title+`","created_at":"2026-08-01T10:00:00+00:00","updated_at":"2026-08-01T11:00:00+00:00"}`)
	for i, m := range talk[8:12] {
		put(1, fmt.Sprintf("session/%s/msg/%012d", handle, i), m)
	}
	put(1, "session/"+handle+"/evt/000000000000", talk[6])
	if archive != "NULL" {
		name := strings.Trim(archive, "'")
		put(1, "session/"+handle+"/archive", `"`+name+`"`)
		put(2, "memory/"+name, `{"name":"`+name+`","kind":"archive","content":"the second"}`)
		put(2, "memory/"+strings.Replace(name, "-2", "-1", 1), `{"name":"x","kind":"archive","content":"the first"}`)
	}
	put(0, "agent/"+handle, "{}")
	return statements
}

func database(t *testing.T, path string, statements ...string) *sql.DB {
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
	for _, statement := range append([]string{"PRAGMA journal_mode = wal", "PRAGMA wal_autocheckpoint = 0"}, statements...) {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	return db
}

// databases are both forms, each with two sessions of which the first was compacted twice.
func databases() map[string][]string {
	name := "'" + strings.ToLower(h1) + "-2'"
	return map[string][]string{
		"tables": append(append([]string{sessionsTable, messagesTables}, inTables(h1, "One", name)...), inTables(h2, "", "NULL")...),
		"keys":   append(append([]string{sessionsTable, kvTable}, inKeys(h1, "One", name)...), inKeys(h2, "", "NULL")...),
	}
}

const afterwards = `message user: more
message assistant: ~ah read#c2{"path":"x"} (toolUse)
message toolResult!: gone
message assistant: bye
note crabtalk.event:
`

// TestDatabases: sessions in both forms are listed and read while CrabTalk holds the database, with what only the log has, and nothing is
// made beside it.
func TestDatabases(t *testing.T) {
	for form, statements := range databases() {
		t.Run(form, func(t *testing.T) {
			home := sourcetest.Home(t, map[string]string{".crabtalk/memory.db": memoryOf(strings.ToLower(h1)+"-1", "the first", strings.ToLower(h1)+"-2", "the second")})
			database(t, filepath.Join(home, ".crabtalk/crabtalk.db"), statements...)
			env := sourcetest.Env(t, home)
			cache := &sqlite.Cache{}
			defer func() { _ = cache.Close() }()
			source := Source{Databases: cache}
			before := sourcetest.Traces(t, home)
			found := sourcetest.ByID(sourcetest.Find(t, source, env))
			one, two := found[h1], found[h2]
			if len(found) != 2 || one.Title != "One" || one.FirstMessage != "more" || one.Model != "m" || two.Title != "" ||
				one.CreatedAt.Format("15:04") != "10:00" || one.UpdatedAt.Format("15:04") != "11:00" || one.Messages != nil {
				t.Errorf("%+v", found)
			}
			r := sourcetest.Read(t, source, env, one)
			if got := withoutNumbers(r); r.Err != nil || r.Damaged > 0 ||
				got != "note crabtalk.meta:\ncompaction from 2 unknown: the first\ncompaction from 3 unknown: the second\n"+afterwards {
				t.Errorf("%v: %s", r.Err, got)
			}
			r = sourcetest.Read(t, source, env, two)
			if got := withoutNumbers(r); r.Err != nil || got != "note crabtalk.meta:\n"+afterwards {
				t.Errorf("%v: %s", r.Err, got)
			}
			if after := sourcetest.Traces(t, home); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
			if err := os.Remove(filepath.Join(home, ".crabtalk/memory.db")); err != nil { // which an excerpt has not
				t.Fatal(err)
			}
			for id, path := range sourcetest.Excerpts(t, source, env) {
				other := map[string]string{h1: h2, h2: h1}[id]
				if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), other) {
					t.Errorf("the excerpt of %s has %s: %v", id, other, err)
				}
			}
		})
	}
}

// withoutNumbers is a story without the numbers of its records.
func withoutNumbers(r *sourcetest.Reading) string {
	var out strings.Builder
	for line := range strings.Lines(r.Story()) {
		_, rest, _ := strings.Cut(line, " ")
		out.WriteString(rest)
	}
	return out.String()
}

// TestChangedTables: columns that are missing, of another type or not JSON cost no other message.
func TestChangedTables(t *testing.T) {
	for name, c := range map[string]struct {
		statements []string
		want       string
		damaged    int
	}{
		"no events": {[]string{
			sessionsTable, strings.Split(messagesTables, ";")[0], row(h1, "One", "NULL"),
			"INSERT INTO session_messages VALUES ('" + h1 + "', 0, " + quoted(talk[8]) + ")",
		}, "note crabtalk.meta:\nmessage user: more\n", 0},
		"no sessions": {[]string{messagesTables, "INSERT INTO session_messages VALUES ('" + h1 + "', 0, " + quoted(talk[8]) + ")"}, "message user: more\n", 0},
		"no column for events": {
			[]string{
				kvTable, "INSERT INTO kv VALUES (1, CAST('session/" + h1 + "/msg/000000000000' AS BLOB), " + quoted(talk[8]) + ")",
				"INSERT INTO kv VALUES (1, 'session/" + h1 + "/msg/000000000001', 'no json')", "INSERT INTO kv VALUES (1, CAST('session/" + h1 + "/msg/000000000002' AS BLOB), 7)",
			},
			"message user: more\nnote crabtalk.unknown:\n", 1,
		},
		"rows twice": {
			[]string{"CREATE TABLE session_messages (session_handle, idx, entry_json)", "INSERT INTO session_messages VALUES ('" + h1 + "', 0, " + quoted(talk[8]) + "), ('" + h1 + "', 0, " + quoted(talk[11]) + "), ('" + h1 + "', NULL, NULL)"},
			"message user: more\nmessage assistant: bye\n", 1,
		},
	} {
		home := t.TempDir()
		database(t, filepath.Join(home, ".crabtalk/store/a.sqlite"), c.statements...)
		env := sourcetest.Env(t, home)
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		if got := withoutNumbers(r); r.Err != nil || got != c.want || r.Damaged != c.damaged {
			t.Errorf("%s: %v, %d damaged: %s", name, r.Err, r.Damaged, got)
		}
	}
}

// TestNoDatabaseOfSessions: a database of something else is none of CrabTalk's sessions, and neither is the memory.
func TestNoDatabaseOfSessions(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{".crabtalk/memory.db": memoryOf("a", "b"), ".crabtalk/empty.db": ""})
	database(t, filepath.Join(home, ".crabtalk/other.db"), "CREATE TABLE kv (key, value)", "CREATE TABLE counters (x)")
	if found := sourcetest.Find(t, Source{}, sourcetest.Env(t, home)); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

// TestWrittenSince: a session that lost or got messages is another one for who keeps what he read, whatever its row says.
func TestWrittenSince(t *testing.T) {
	for form, statements := range databases() {
		home := t.TempDir()
		db := database(t, filepath.Join(home, ".crabtalk/crabtalk.db"), statements...)
		env := sourcetest.Env(t, home)
		find := func() sources.Found { return sourcetest.ByID(sourcetest.Find(t, Source{}, env))[h1] }
		before := find()
		remove := "DELETE FROM session_messages WHERE idx = 15"
		if form == "keys" {
			remove = "DELETE FROM kv WHERE CAST(key AS TEXT) LIKE '%/msg/000000000003'"
		}
		if _, err := db.Exec(remove); err != nil {
			t.Fatal(err)
		}
		if after := find(); after.Writes == before.Writes || before.Writes == 0 {
			t.Errorf("%s: %d, %d", form, before.Writes, after.Writes)
		}
	}
}

// TestDamagedTables: a database that was harmed anywhere gives sessions, or says why not.
func TestDamagedTables(t *testing.T) {
	for form, statements := range databases() {
		t.Run(form, func(t *testing.T) {
			home := t.TempDir()
			db := database(t, filepath.Join(home, ".crabtalk/crabtalk.db"), statements...)
			if _, err := db.Exec("PRAGMA journal_mode = delete"); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			sourcetest.SurvivesSome(t, Source{}, home, 150)
		})
	}
}
