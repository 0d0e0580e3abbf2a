package backend

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // what other agents write with
)

const (
	opencodePlace = ".local/share/opencode/opencode.db"
	openclawPlace = ".openclaw/agents/main/agent/openclaw-agent.sqlite"
	crabtalkPlace = ".crabtalk/crabtalk.db"
	crabtalkRows  = `
CREATE TABLE sessions (handle TEXT PRIMARY KEY, agent TEXT NOT NULL, created_by TEXT NOT NULL, title TEXT, created_at TEXT, updated_at TEXT, summary TEXT);
CREATE TABLE kv (col INTEGER NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (col, key));
INSERT INTO sessions VALUES ('h1', 'a', 'user', 'The harbour', '2026-01-02T10:00:00Z', '2026-01-02T10:01:00Z', NULL), ('h2', 'a', 'user', '', '2026-01-02T10:00:00Z', '2026-01-02T10:01:00Z', NULL);
INSERT INTO kv SELECT column1, CAST(column2 AS BLOB), CAST(column3 AS BLOB) FROM (VALUES
 (1, 'local/session/h1/meta', '{"title":"The harbour","created_by":"user","updated_at":"2026-01-02T10:01:00Z"}'), (1, 'local/session/h1/archive', '"h1-1"'),
 (2, 'local/memory/h1-1', '{"content":"They came to the harbour."}'), (2, 'local/memory/h2-1', '{"content":"of another"}'),
 (1, 'local/session/h1/msg/000000000000', '{"message":{"role":"user","content":[{"type":"text","text":"and the lighthouse"}]}}'),
 (1, 'local/session/h2/msg/000000000000', '{"message":{"role":"user","content":[{"type":"text","text":"of another"}]}}'));`
	opencodeRows = `
CREATE TABLE session (id text PRIMARY KEY, title text, version text, directory text, time_created integer, time_updated integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);
INSERT INTO session VALUES ('ses_1', 'The harbour', '1.2.0', '/w', 1767348000000, 1767348060000), ('ses_2', 'Another', '1.2.0', '/w', 1767348000000, 1767348060000);
INSERT INTO message VALUES ('m1', 'ses_1', 1767348000000, '{"role":"user","time":{"created":1767348000000}}'), ('m2', 'ses_1', 1767348001000, '{"role":"assistant","finish":"stop","time":{"created":1767348001000,"completed":1}}'),
 ('m3', 'ses_2', 1767348000000, '{"role":"user","time":{"created":1767348000000}}');
INSERT INTO part VALUES ('p1', 'm1', 'ses_1', '{"type":"text","text":"where is the harbour"}'), ('p2', 'm2', 'ses_1', '{"type":"text","text":"behind the lighthouse"}'), ('p3', 'm3', 'ses_2', '{"type":"text","text":"of another"}');`
	openclawRows = `
CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT, label TEXT);
CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, created_at INTEGER, updated_at INTEGER, model TEXT);
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, PRIMARY KEY (session_id, seq));
INSERT INTO session_windows VALUES ('s1', 'agent:main:main', 1767348000000, 1767348060000, 'm');
INSERT INTO transcript_events VALUES ('s1', 0, '{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"}'),
 ('s1', 1, '{"id":"a","parentId":null,"timestamp":"2026-01-02T10:00:01.000Z","type":"message","message":{"role":"user","content":"the lighthouse, please"}}');`
)

// inDatabase runs statements in a database of another agent.
func inDatabase(t *testing.T, home, place, statements string) string {
	t.Helper()
	path := filepath.Join(home, filepath.FromSlash(place))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func (m *machine) objects() []string {
	m.t.Helper()
	all, err := filepath.Glob(filepath.Join(m.home, "kept", "objects", "*", "*"))
	if err != nil || len(all) == 0 {
		m.t.Fatal(all, err)
	}
	return all
}

// TestSessionsInDatabasesAreKept: each alone, and shown, searched, exported, imported and checked as before when its rows are gone from a
// database that lives on, or all of it.
func TestSessionsInDatabasesAreKept(t *testing.T) {
	for name, gone := range map[string]func(t *testing.T, home string){
		"its rows": func(t *testing.T, home string) {
			inDatabase(t, home, opencodePlace, "DELETE FROM session WHERE id = 'ses_1'; DELETE FROM message WHERE session_id = 'ses_1'; DELETE FROM part WHERE session_id = 'ses_1'")
			inDatabase(t, home, openclawPlace, "DELETE FROM session_windows; DELETE FROM transcript_events")
			inDatabase(t, home, crabtalkPlace, "DELETE FROM sessions WHERE handle = 'h1'; DELETE FROM kv WHERE CAST(key AS TEXT) GLOB '*/h1*'")
		},
		"the databases": func(t *testing.T, home string) {
			for _, dir := range []string{".local", ".openclaw", ".crabtalk"} {
				if err := os.RemoveAll(filepath.Join(home, dir)); err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := &machine{t, t.TempDir(), t.TempDir(), time.Now()}
			inDatabase(t, m.others, opencodePlace, opencodeRows)
			inDatabase(t, m.others, openclawPlace, openclawRows)
			inDatabase(t, m.others, crabtalkPlace, crabtalkRows)
			ids := []string{"opencode:ses_1", "openclaw:s1", "crabtalk:h1"}
			b := m.open()
			before := map[string]Context{}
			for _, id := range ids {
				var err error
				if before[id], err = b.Context(id, ContextOptions{}); err != nil || len(before[id].Messages) == 0 {
					t.Fatal(id, err)
				}
			}
			if kept, err := b.Keep(t.Context(), ids); err != nil || kept[0].Problem != nil || kept[1].Problem != nil || kept[2].Problem != nil {
				t.Fatalf("%+v, %v", kept, err)
			}
			once := m.objects()
			inDatabase(t, m.others, opencodePlace, "INSERT INTO part VALUES ('p9', 'm3', 'ses_2', '{}'); VACUUM")
			if _, err := b.Keep(t.Context(), ids); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(once, m.objects()); diff != "" || len(once) != len(ids) {
				t.Errorf("kept twice: %s", diff)
			}
			gone(t, m.others)
			b = m.open()
			for _, id := range ids {
				s, err := b.Get(id)
				if err != nil || !s.FromCopy {
					t.Errorf("%+v, %v", s, err)
				}
				is, err := b.Context(id, ContextOptions{})
				if diff := cmp.Diff(before[id].Messages, is.Messages); err != nil || diff != "" {
					t.Errorf("%s: %s, %v", id, diff, err)
				}
				if made, err := b.Import(t.Context(), id); err != nil || made.Did != ImportCreated {
					t.Errorf("%s: %+v, %v", id, made, err)
				}
			}
		})
	}
}

// TestACopyLosesNoMessages: rows that the agent pruned stay in the copy, even where more came since.
func TestACopyLosesNoMessages(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Now()}
	path := inDatabase(t, m.others, opencodePlace, opencodeRows)
	keep := func() *Problem {
		kept, err := m.open().Keep(t.Context(), []string{"opencode:ses_1"})
		if err != nil {
			t.Fatal(err)
		}
		return kept[0].Problem
	}
	if problem := keep(); problem != nil {
		t.Fatal(problem)
	}
	const long = `INSERT INTO message VALUES ('m4', 'ses_1', 1767348002000, '{"role":"user","time":{"created":1767348002000}}'); INSERT INTO part VALUES ('p4', 'm4', 'ses_1', json_object('type', 'text', 'text', hex(zeroblob(9000))))`
	inDatabase(t, m.others, opencodePlace, long)
	if problem := keep(); problem != nil {
		t.Fatal(problem)
	}
	inDatabase(t, m.others, opencodePlace, "DELETE FROM message WHERE id = 'm2'; DELETE FROM part WHERE id = 'p2'; "+strings.NewReplacer("m4", "m5", "p4", "p5").Replace(long))
	if problem := keep(); problem != nil {
		t.Error(problem)
	}
	kept := m.objects()
	if err := os.WriteFile(path, []byte("SQLite format 3\x00 and no more"), 0o600); err != nil {
		t.Fatal(err)
	}
	if problem := keep(); problem != nil { // there is a copy
		t.Error(problem)
	}
	if diff := cmp.Diff(kept, m.objects()); diff != "" {
		t.Error(diff)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	b := m.open()
	scanned(t, b)
	all, err := b.List(t.Context(), ListOptions{})
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	texts := ""
	for _, s := range all {
		c, err := b.Context(s.ID, ContextOptions{})
		text, _ := json.Marshal(c.Messages)
		if err != nil || len(c.Messages) != 3 || (s.ID == "opencode:ses_1") != (s.Parent == nil) || !s.FromCopy {
			t.Errorf("%s: %+v, %v", s.ID, c.Messages, err)
		}
		texts += fmt.Sprintf("%d ", strings.Count(string(text), "lighthouse"))
	}
	if texts != "0 1 " && texts != "1 0 " {
		t.Errorf("what was deleted is in %s", texts)
	}
	stats, err := b.Statistics(t.Context(), StatisticsOptions{})
	if err != nil || stats.Totals.Sessions != 1 || stats.Totals.Messages != 3 {
		t.Errorf("%+v, %v", stats.Totals, err)
	}
	if other, err := b.Keep(t.Context(), []string{"opencode:ses_2"}); err != nil || other[0].Problem == nil || other[0].Problem.Code != CodeNotFound {
		t.Errorf("%+v, %v", other, err)
	}
}

// TestRetentionOfRows: when a session in a database goes is not told from the database's own time.
func TestRetentionOfRows(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Date(2026, 1, 30, 0, 0, 0, 0, time.UTC)}
	inDatabase(t, m.others, openclawPlace, openclawRows)
	b := m.open()
	told, err := b.Retention(t.Context(), RetentionOptions{})
	if err != nil || len(told.Sessions) != 1 || told.Sessions[0].GoesAt != "2026-02-01T10:01:00Z" || told.Sessions[0].Kept != nil {
		t.Fatalf("%+v, %v", told.Sessions, err)
	}
	if kept, err := b.Keep(t.Context(), []string{"openclaw:s1"}); err != nil || kept[0].Problem != nil {
		t.Fatalf("%+v, %v", kept, err)
	}
	if told, err = b.Retention(t.Context(), RetentionOptions{}); err != nil || told.Sessions[0].Kept == nil || told.Sessions[0].Stale {
		t.Errorf("%+v, %v", told.Sessions, err)
	}
}
