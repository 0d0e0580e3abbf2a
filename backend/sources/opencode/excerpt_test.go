package opencode

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/sources/sqlite"
)

// change runs statements in a database.
func change(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestExcerpt: a session is read alone as among others, with what its output spilled into files; nothing of another goes with it.
func TestExcerpt(t *testing.T) {
	home := t.TempDir()
	spilled := asked(1, "what is in the file")
	spilled = append(spilled, `{"id":"prt_0019","type":"text","text":"the other's secret"}`)
	path := database(t, home, "opencode.db", talk, chat(spilled, answered(2, "the other's answer")))
	change(t, path,
		`UPDATE part SET data = json_set(data, '$.state.metadata.outputPath', '/x/opencode/tool-output/tool_abc', '$.state.metadata.truncated', json('true')) WHERE id = 'prt_22'`,
		"INSERT INTO account VALUES ('a', 'the secret token')",
		"CREATE TABLE later_notes (session_id text, note text)", "INSERT INTO later_notes VALUES ('ses_1', 'nobody knows yet'), ('ses_2', 'of the other')",
	)
	sourcetest.Write(t, home, ".local/share/opencode/tool-output/tool_abc", "the whole of the output, which is longer than the part of it")
	env := sourcetest.Env(t, home)
	excerpts := sourcetest.Excerpts(t, Source{}, env)
	if len(excerpts) != 2 {
		t.Fatal(excerpts)
	}
	one, err := os.ReadFile(excerpts["ses_1"])
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"the secret token": false, "the other": false, "ses_2": false, "nobody knows yet": true, "access_token": true} {
		if bytes.Contains(one, []byte(text)) != want {
			t.Errorf("%q is there: %t", text, !want)
		}
	}
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))["ses_1"]
	if beside := (Source{}).Beside(t.Context(), env, found); len(beside) != 1 || filepath.Base(beside[0]) != "tool_abc" {
		t.Error(beside)
	}
	change(t, path, "DELETE FROM session WHERE id = 'ses_1'", "DELETE FROM message WHERE session_id = 'ses_1'", "DELETE FROM part WHERE session_id = 'ses_1'", "DELETE FROM later_notes")
	if _, err := (Source{}).Excerpt(t.Context(), env, found, filepath.Join(home, "none")); err != sources.ErrGone { //nolint:errorlint // it is that
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(home, "none")); err == nil {
		t.Error("half an excerpt was left behind")
	}
}

// TestExcerptsOfOldTables: parts that name their message alone, and a database that a variable names.
func TestExcerptsOfOldTables(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	made := database(t, home, "opencode.db", talk, chat(asked(1, "one"), answered(2, "two")))
	change(t, made, "ALTER TABLE part DROP COLUMN session_id", "ALTER TABLE session DROP COLUMN project_id", "ALTER TABLE message DROP COLUMN time_created")
	if excerpts := sourcetest.Excerpts(t, Source{}, sourcetest.Env(t, home)); len(excerpts) != 2 {
		t.Error(excerpts)
	}
	named := filepath.Join(data, "mine.sqlite")
	if err := os.Rename(made, named); err != nil {
		t.Fatal(err)
	}
	env := sourcetest.EnvWith(t, home, "OPENCODE_DB="+named)
	if excerpts := sourcetest.Excerpts(t, Source{}, env); len(excerpts) != 2 {
		t.Error(excerpts)
	}
}

// TestLacks: what was said before and is not there any more is missed; what came since, and what is no message, is not.
func TestLacks(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, "opencode.db", talk)
	change(t, path, "CREATE TABLE todo (session_id text, content text)", "INSERT INTO todo VALUES ('ses_1', 'look')")
	env := sourcetest.Env(t, home)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	take := func(name string) string {
		to := filepath.Join(t.TempDir(), name)
		if _, err := (Source{}).Excerpt(t.Context(), env, found, to); err != nil {
			t.Fatal(err)
		}
		return to
	}
	before := take("before")
	for _, tt := range []struct {
		change string
		lacks  bool
	}{
		{"DELETE FROM todo", false},
		{"INSERT INTO message SELECT 'msg_9' || rowid, session_id, time_created, data FROM message; INSERT INTO part SELECT 'prt_9' || rowid, 'msg_91', session_id, data FROM part", false},
		{"DELETE FROM part WHERE id = 'prt_31'", true},
		{"DELETE FROM message WHERE id = 'msg_1'", true},
	} {
		change(t, path, tt.change)
		if lacks, err := (Source{}).Lacks(t.Context(), take("now"), before); err != nil || lacks != tt.lacks {
			t.Errorf("%s: %t, %v", tt.change, lacks, err)
		}
	}
	if _, err := sqlite.Lacks(t.Context(), before, filepath.Join(home, "none"), nil); err == nil {
		t.Error("a missing one was compared")
	}
}

func TestSampleExcerpts(t *testing.T) {
	taken := 0
	for _, home := range sourcetest.Samples(t, "opencode") {
		taken += len(sourcetest.Excerpts(t, Source{}, sourcetest.Env(t, home)))
	}
	if taken == 0 {
		t.Error("no sample has a session in a database")
	}
}
