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
