package crabtalk

import (
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
)

// TestBegun: a session began when its name says, or no later than its metadata was written; a number in a name that is no time of its file's
// says nothing.
func TestBegun(t *testing.T) {
	const said = `{"role":"user","content":"hello"}` + "\n"
	meta := func(at string) string {
		return `{"agent":"crab","created_by":"user","created_at":"` + at + `","title":"","uptime_secs":0}` + "\n" + said
	}
	for name, c := range map[string]struct{ text, want string }{
		".openwalrus/sessions/crab_1760000000_ab12.jsonl": {meta("2026-04-01T10:00:00Z"), "2025-10-09T08:53:20Z"},
		dir + "crab_1760000000_7.jsonl":                   {said, "2025-10-09T08:53:20Z"},
		dir + "crab_1760000000_8.jsonl":                   {meta("2025-10-09T08:00:00Z"), "2025-10-09T08:00:00Z"},
		dir + "crab_5123456789_7.jsonl":                   {said, ""},
		dir + "crab_12345_7.jsonl":                        {said, ""},
		dir + "crab_user_1.jsonl":                         {meta("2026-04-01T10:00:00Z"), "2026-04-01T10:00:00Z"},
		dir + "crab_user_1760000000.jsonl":                {said, ""},
		dir + "crab_user_2/meta":                          {`{"agent":"crab","created_by":"user","created_at":"2026-04-01T10:00:00Z"}`, "2026-04-01T10:00:00Z"},
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{name: c.text}))
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		got := ""
		if !found.CreatedAt.IsZero() {
			got = found.CreatedAt.UTC().Format(time.RFC3339)
		}
		if got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}
