package codex

import (
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
)

// TestBegun: where no header says when a thread began, the name of its file does, in the time of the place.
func TestBegun(t *testing.T) {
	named := time.Date(2026, 11, 21, 1, 22, 10, 0, time.Local)
	for first, want := range map[string]time.Time{
		`{"type":"session_meta","payload":{"id":"` + id + `","cwd":"/w"}}`:                                    named,
		`{"type":"session_meta","payload":{"id":"` + id + `","cwd":"/w`:                                       named,
		`{"type":"session_meta","payload":{"id":"` + id + `","cwd":"/w","timestamp":"2026-01-02T10:00:00Z"}}`: time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC),
	} {
		said := `{"timestamp":"2026-11-21T05:00:00Z","type":"response_item","payload":` + user("mend") + "}\n"
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{place: first + "\n" + said}))
		if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); !f.CreatedAt.Equal(want) {
			t.Errorf("%s: %v, not %v", first, f.CreatedAt, want)
		}
	}
	text := `{"type":"session_meta","payload":{"cwd":"/w"}}` + "\n" + item(user("mend"))
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{".codex/sessions/2026/11/21/rollout-mine.jsonl": text}))
	if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); !f.CreatedAt.IsZero() {
		t.Errorf("%v", f.CreatedAt)
	}
}
