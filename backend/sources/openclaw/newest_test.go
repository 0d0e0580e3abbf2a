package openclaw

import (
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
)

// TestWrittenLast: an event that was written after the session was noted to have changed is a change of it.
func TestWrittenLast(t *testing.T) {
	for later, want := range map[string]int64{"1767348099000": 1767348099000, "1": 1767348060000, "NULL": 1767348060000, "'soon'": 1767348060000} {
		home := t.TempDir()
		database(t, home, text("1 - "+user("one"), "2 1 "+said("two")),
			"ALTER TABLE transcript_events ADD created_at integer", "UPDATE transcript_events SET created_at = 5", "UPDATE transcript_events SET created_at = "+later+" WHERE seq = 2")
		if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home))); !f.UpdatedAt.Equal(time.UnixMilli(want)) {
			t.Errorf("%s: %v", later, f.UpdatedAt)
		}
	}
}

// TestTablesOfAnotherVersion: sessions that are noted, with what was said in them nowhere that is known, are told of.
func TestTablesOfAnotherVersion(t *testing.T) {
	home := t.TempDir()
	database(t, home, text("a - "+user("one")), "ALTER TABLE transcript_events RENAME TO events")
	if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home))); f.ID != "main/openclaw-agent.sqlite" || f.Problem != errUnknown.Error() {
		t.Errorf("%+v", f)
	}
	empty := t.TempDir()
	database(t, empty, text("a - "+user("one")), "DROP TABLE transcript_events", "DELETE FROM session_windows")
	if found := sourcetest.Find(t, Source{}, sourcetest.Env(t, empty)); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}
