package picoclaw

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestSummaryAlone: what stands beside the messages says what the model has of those that are gone, whatever became of the file; a first line that is
// half written is none yet.
func TestSummaryAlone(t *testing.T) {
	const torn = `{"role":"user","con`
	for _, c := range []struct{ name, lines, meta, problem, seen string }{
		{"empty", "", meta1(`"summary":"They said hi."`), "", "CONTEXT_SUMMARY"},
		{"blank", "\n\n", meta1(`"summary":"They said hi."`), "", "CONTEXT_SUMMARY"},
		{"half of a line", torn, meta1(`"summary":"They said hi."`), "", "CONTEXT_SUMMARY"},
		{"no text", "no text\n", meta1(`"summary":"They said hi."`), "", "CONTEXT_SUMMARY"},
		{"half of a line, and no summary", torn, meta1(`"summary":""`), "", ""},
		{"empty, and no summary", "", meta1(`"summary":""`), "empty", ""},
		{"no text, and no summary", "no text\n", meta1(`"summary":""`), "no text of JSON", ""},
		{"half of a line, and nothing beside it", torn, "", "no text of JSON", ""},
		{"empty, and half written beside it", "", `{"key":"sk_v1_aa","summary":"S`, "empty", ""},
	} {
		files := map[string]string{dir + "sk_v1_aa.jsonl": c.lines, dir + "sk_v1_aa.meta.json": c.meta}
		if c.meta == "" {
			delete(files, dir+"sk_v1_aa.meta.json")
		}
		found, r := reading(t, files)
		if c.problem == "" && found.Problem != "" || !strings.Contains(found.Problem, c.problem) {
			t.Errorf("%s: %q", c.name, found.Problem)
		}
		if seen := r.Seen(t); !strings.Contains(seen, c.seen) || c.seen == "" && seen != "" || c.seen != "" && !strings.Contains(string(r.Log), "They said hi.") {
			t.Errorf("%s: %q", c.name, seen)
		}
	}
}

// TestSeenAnew: what stands beside the messages says what the model sees of them, and makes the session another one to read when it says something else
// of that, though no message came. Whatever else it says does not.
func TestSeenAnew(t *testing.T) {
	const all = `"summary":"","skip":0`
	for name, c := range map[string]struct {
		before, after string
		another       bool
	}{
		"more are hidden":          {all, `"summary":"","skip":2`, true},
		"a summary":                {all, `"summary":"S","skip":0`, true},
		"another one":              {`"summary":"S","skip":2`, `"summary":"T","skip":2`, true},
		"all are seen again":       {`"summary":"S","skip":2`, all, true},
		"half written":             {`"summary":"S","skip":2`, `"summary":"S`, true},
		"another count, and time":  {`"summary":"S","skip":2,"count":4`, `"summary":"S","skip":2,"count":5,"updated_at":"2026-01-03T10:00:00Z"`, false},
		"less than none is hidden": {all, `"summary":"","skip":-1`, false},
	} {
		const beside = dir + "sk_v1_aa.meta.json"
		home := sourcetest.Home(t, map[string]string{dir + "sk_v1_aa.jsonl": lines, beside: meta1(c.before)})
		env := sourcetest.Env(t, home)
		before := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		after := meta1(c.after)
		if name == "half written" {
			after = after[:len(after)/2]
		}
		sourcetest.Write(t, home, beside, after)
		if now := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); c.another != (now.Beside != before.Beside) {
			t.Errorf("%s: %q, and then %q", name, before.Beside, now.Beside)
		}
	}
}
