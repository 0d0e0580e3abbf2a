package opencode

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// changed is a database with a conversation, and what somebody did to it.
func changed(t *testing.T, c conversation, statements ...string) string {
	t.Helper()
	home := t.TempDir()
	db, err := sql.Open("sqlite", database(t, home, "opencode.db", c))
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return home
}

// TestLongColumns: what is left out of a session's own row since it is too long is told of; where the user went back is read however much
// that took back.
func TestLongColumns(t *testing.T) {
	c := chat(asked(1, "one"), answered(2, "two"), asked(3, "three"))
	home := changed(t, c,
		"UPDATE session SET title = printf('%.*c', 2000000, 'x'), directory = printf('%.*c', 2000001, 'y')",
		`UPDATE session SET revert = '{"messageID":"msg_003","diff":"' || printf('%.*c', 2000000, 'd') || '"}'`)
	env := sourcetest.Env(t, home)
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if want := "ses_2: title of 2000000, ses_2: directory of 2000001"; r.Err != nil || r.Overlong() != want {
		t.Errorf("%v, %q", r.Err, r.Overlong())
	}
	if got := strings.Join(r.View(t), "\n"); got != "user: one\nassistant: two" {
		t.Error(got)
	}
}

// TestLongLater: so is a message in the place that no known version has used.
func TestLongLater(t *testing.T) {
	home := changed(t, chat(), "CREATE TABLE session_message (id text, session_id text, seq integer, data)",
		"INSERT INTO session_message VALUES ('a', 'ses_2', 1, zeroblob(268435457))")
	env := sourcetest.Env(t, home)
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if want := "a: message of 268435457"; r.Err != nil || r.Overlong() != want {
		t.Errorf("%v, %q", r.Err, r.Overlong())
	}
}

// TestEmpty: a message or a part of which the database or its file has nothing is told of as empty, and not as too large.
func TestEmpty(t *testing.T) {
	want := []string{"[left out: the message msg_001 is empty]", "[left out: the part prt_0030 is empty]"}
	c := chat(asked(1, "one"), asked(2, "two"), asked(3, "three"))
	files := c.home(t, conversation.newer)
	sourcetest.Write(t, files, ".local/share/opencode/storage/message/ses_2/msg_001.json", "")
	sourcetest.Write(t, files, ".local/share/opencode/storage/part/msg_003/prt_0030.json", "")
	for name, home := range map[string]string{
		"files": files,
		"text":  changed(t, c, "UPDATE message SET data = '' WHERE id = 'msg_001'", "UPDATE part SET data = '' WHERE id = 'prt_0030'"),
		"null": changed(t, c, "ALTER TABLE message RENAME data TO was", "ALTER TABLE message ADD data", "UPDATE message SET data = was WHERE id <> 'msg_001'",
			"ALTER TABLE part RENAME data TO was", "ALTER TABLE part ADD data", "UPDATE part SET data = was WHERE id <> 'prt_0030'",
			"ALTER TABLE message DROP was", "ALTER TABLE part DROP was"),
	} {
		env := sourcetest.Env(t, home)
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		var told []string
		for line := range strings.Lines(string(r.Log)) {
			if strings.HasPrefix(line, "[left out") {
				told = append(told, strings.TrimSpace(line))
			}
		}
		if r.Err != nil || r.Overlong() != "" || !slices.Equal(told, want) {
			t.Errorf("%s: %v, %q, %q", name, r.Err, r.Overlong(), told)
		}
	}
}
