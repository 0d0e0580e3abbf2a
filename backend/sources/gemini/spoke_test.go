package gemini

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestSpokeLast: a session is as old as the last that a person or the model said in it, whatever else was written later: a name, a context that
// a resume puts in, what only a person was shown.
func TestSpokeLast(t *testing.T) {
	const header = `{"sessionId":"s1","projectHash":"h","startTime":"2026-01-02T10:00:00Z","lastUpdated":"2026-01-02T10:00:00Z"`
	at := func(minute, kind, text string) string {
		return `{"id":"m` + minute + `","timestamp":"2026-01-02T10:` + minute + `:00Z","type":"` + kind + `","content":"` + text + `"}`
	}
	const named = `{"$set":{"summary":"S","lastUpdated":"2026-01-02T10:50:00Z"}}`
	lines := func(all ...string) string { return header + "}\n" + strings.Join(all, "\n") + "\n" }
	object := func(all ...string) string {
		text := strings.Join(all, ",")
		for _, member := range []string{`"timestamp":`, `"type":`, `"content":`} {
			text = strings.ReplaceAll(text, ","+member, ",\n      "+member+" ")
		}
		return strings.ReplaceAll(header, "10:00:00Z\"", "10:50:00Z\"") + ",\n  \"messages\": [\n" + text + "\n  ],\n  \"summary\": \"S\"\n}"
	}
	long := strings.Repeat("x", 90<<10)
	for name, c := range map[string]struct {
		ext, text string
		want      int
	}{
		"lines, named later":            {".jsonl", lines(at("01", "user", "q"), at("02", "gemini", "a"), named), 2},
		"lines, then a context":         {".jsonl", lines(at("01", "user", "q"), at("03", "user", "<session_context>x"), named), 1},
		"lines, then a word of its own": {".jsonl", lines(at("01", "user", "q"), at("03", "info", "x"), named), 1},
		"lines, all set anew":           {".jsonl", lines(at("01", "user", "q"), `{"$set":{"messages":[`+at("01", "user", "q")+`,`+at("04", "gemini", "a")+`]}}`, named), 4},
		"long lines, named later":       {".jsonl", lines(at("01", "user", "q"), at("02", "gemini", long), at("05", "gemini", "a"), named), 5},
		"an object":                     {".json", object(at("01", "user", "q"), at("02", "gemini", "a")), 2},
		"a long object":                 {".json", object(at("01", "user", long), at("02", "gemini", "a"), at("06", "user", "b")), 6},
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{".gemini/tmp/app/chats/session-2026-01-02T10-00-s1" + c.ext: c.text}))
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		if found.UpdatedAt.Minute() != c.want || found.Problem != "" {
			t.Errorf("%s: %v, %q", name, found.UpdatedAt, found.Problem)
		}
	}
}
