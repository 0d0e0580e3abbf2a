package picoclaw

import (
	"strings"
	"testing"
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
