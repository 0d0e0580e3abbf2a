package opencode

import (
	"database/sql"
	"strconv"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/sources/sqlite"
)

// TestWrittenLast: opencode writes on in an answer after it has noted when the session changed; who waits for that to change would never see
// how the answer ends.
func TestWrittenLast(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, "opencode.db", chat(asked(1, "ask"), answered(2, "answer")))
	updated := func() time.Time {
		t.Helper()
		return sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home))).UpdatedAt
	}
	noted := updated()
	change(t, path, "ALTER TABLE message ADD time_updated integer", "ALTER TABLE part ADD time_updated integer")
	if at := updated(); !at.Equal(noted) {
		t.Errorf("%v, not %v", at, noted)
	}
	later := noted.Add(2 * time.Second)
	for table, where := range map[string]string{"message": "id = 'msg_002'", "part": "message_id = 'msg_002'"} {
		set := "UPDATE " + table + " SET time_updated = "
		change(t, path, set+strconv.FormatInt(later.UnixMilli(), 10)+" WHERE "+where)
		if at := updated(); !at.Equal(later) {
			t.Errorf("%s: %v, not %v", table, at, later)
		}
		change(t, path, "UPDATE session SET time_updated = time_updated + 9000")
		if at := updated(); !at.Equal(later) {
			t.Errorf("renamed after a %s: %v, not %v", table, at, later)
		}
		change(t, path, "UPDATE session SET time_updated = time_updated - 9000", set+"1")
		if at := updated(); !at.Equal(noted) {
			t.Errorf("an early %s: %v, not %v", table, at, noted)
		}
	}
}

// TestMovedLater: what moved the sessions of earlier versions into the database left the moment of that in all messages and parts, which is
// not when anything was said; what is written after that is.
func TestMovedLater(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, "opencode.db", chat(asked(1, "ask"), answered(2, "answer")))
	updated := func() time.Time {
		t.Helper()
		return sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home))).UpdatedAt
	}
	noted := updated()
	moved := strconv.FormatInt(noted.AddDate(1, 0, 0).UnixMilli(), 10)
	for _, table := range []string{"message", "part"} {
		change(t, path, "ALTER TABLE "+table+" ADD time_updated integer", "UPDATE "+table+" SET time_updated = "+moved)
	}
	if at := updated(); !at.Equal(noted) {
		t.Errorf("%v, not %v", at, noted)
	}
	later := noted.AddDate(2, 0, 0)
	change(t, path, "UPDATE part SET time_updated = "+strconv.FormatInt(later.UnixMilli(), 10)+" WHERE message_id = 'msg_002'")
	if at := updated(); !at.Equal(later) {
		t.Errorf("%v, not %v", at, later)
	}
}

// TestWrittenBefore: what opencode clears in earlier messages, after an answer has ended, changes no time that is looked at.
func TestWrittenBefore(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, "opencode.db", chat(asked(1, "ask"), answered(2, "answer")))
	writes := func() int64 {
		t.Helper()
		return sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home))).Writes
	}
	if n := writes(); n != 0 {
		t.Errorf("%d where nothing counts them", n)
	}
	change(t, path, "ALTER TABLE message ADD time_updated integer", "ALTER TABLE part ADD time_updated integer", "UPDATE part SET time_updated = 5")
	if n := writes(); n != 5 {
		t.Error(n)
	}
	change(t, path, "UPDATE part SET time_updated = 6 WHERE message_id = 'msg_001'")
	if n := writes(); n != 6 {
		t.Error(n)
	}
	change(t, path, "CREATE TABLE event_sequence (aggregate_id text PRIMARY KEY, seq integer NOT NULL)",
		"INSERT INTO event_sequence SELECT id, 7 FROM session")
	if n := writes(); n != 7 {
		t.Error(n)
	}
	change(t, path, "UPDATE event_sequence SET seq = 8")
	if n := writes(); n != 8 {
		t.Error(n)
	}
}

// TestWrittenLastWithoutIndexes: where nobody made any, the parts are not gone through for each session once more.
func TestWrittenLastWithoutIndexes(t *testing.T) {
	path := database(t, t.TempDir(), "opencode.db", chat(asked(1, "ask")))
	change(t, path, "ALTER TABLE message ADD time_updated integer", "ALTER TABLE part ADD time_updated integer")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tables, err := openTables(t.Context(), sqlite.Database{DB: db})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+tables.newestQuery())
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	parts := 0
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(step, "SEARCH part") || strings.HasPrefix(step, "SCAN part") {
			parts++
			if !strings.HasPrefix(step, "SEARCH part USING AUTOMATIC") {
				t.Error(step)
			}
		}
	}
	if parts != 1 || rows.Err() != nil {
		t.Error(parts, rows.Err())
	}
}

// TestRenamedLater: what changes a session after its last message, as a name or another place to go on from, makes it another one to read, and is
// not when something was said in it.
func TestRenamedLater(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, "opencode.db", chat(asked(1, "ask"), answered(2, "answer")))
	change(t, path, "ALTER TABLE message ADD time_updated integer", "ALTER TABLE part ADD time_updated integer", "UPDATE message SET time_updated = 1767348005000 WHERE id = 'msg_002'")
	find := func() sources.Found {
		return sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home)))
	}
	before := find()
	change(t, path, "UPDATE session SET time_updated = time_updated + 1")
	if now := find(); !now.UpdatedAt.Equal(time.UnixMilli(1767348005000)) || now.Beside == before.Beside {
		t.Errorf("%v, %q, and before that %q", now.UpdatedAt, now.Beside, before.Beside)
	}
}

// TestNamedAfterItsLastMessage: so it is in files, whose last message says when that was; one that can't be read does not.
func TestNamedAfterItsLastMessage(t *testing.T) {
	for name, c := range map[string]struct {
		last string
		want int64
	}{
		"an answer":         {`{"id":"msg_003","role":"assistant","time":{"created":1767348007000,"completed":1767348009000}}`, 1767348009000},
		"a prompt":          {`{"id":"msg_003","role":"user","time":{"created":1767348007000}}`, 1767348007000},
		"half written":      {`{"id":"msg_003","ro`, 1767348001000},
		"not when it was":   {`{"id":"msg_003","role":"user"}`, 1767348001000},
		"written elsewhere": {"", 1767348001000},
	} {
		home := chat(asked(1, "ask")).home(t, conversation.newer)
		if c.last != "" {
			sourcetest.Write(t, home, ".local/share/opencode/storage/message/ses_2/msg_003.json", c.last)
		}
		if at := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home))).UpdatedAt; !at.Equal(time.UnixMilli(c.want)) {
			t.Errorf("%s: %v, not %v", name, at, time.UnixMilli(c.want))
		}
	}
}
