package all

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// answerers are lines that say which model answers.
var answerers = map[string]string{
	"codex":      `{"timestamp":"2026-01-02T10:00:00Z","type":"turn_context","payload":{"cwd":"/w","model":%q}}`,
	"claudecode": `{"type":"assistant","uuid":"x","parentUuid":null,"sessionId":"` + claudeID + `","timestamp":"2026-01-02T10:00:00Z","message":{"role":"assistant","model":%q,"content":[{"type":"text","text":"a"}]}}`,
	"gemini":     `{"id":"x","timestamp":"2026-01-02T10:00:00Z","type":"gemini","content":"a","model":%q}`,
	"pi":         `{"type":"message","id":"x","parentId":"z","timestamp":"2026-01-02T10:00:00Z","message":{"role":"assistant","model":%q,"content":[{"type":"text","text":"a"}]}}`,
	"picoclaw":   `{"role":"assistant","content":"a","model_name":%q,"created_at":"2026-01-02T10:00:00Z"}`,
	"crabtalk":   `{"event":"done","model":%q,"ts":"2026-01-02T10:00:00Z"}`,
}

// TestTheModelThatAnsweredLast: a list has no other, and none where what is read of a long file does not tell.
func TestTheModelThatAnsweredLast(t *testing.T) {
	everyAgent(t, func(t *testing.T, source sources.Source, s spoken) {
		if s.main == "" {
			t.Skip("it has a file for each message")
		}
		form, ok := answerers[source.Agent()]
		if !ok {
			form = answerers["pi"]
		}
		by := func(model string) string { return fmt.Sprintf(form, model) + "\n" }
		for name, c := range map[string]struct {
			between int
			last    string
			want    string
		}{
			"short": {1, by("new"), "new"}, "long": {300 << 10, by("new"), "new"}, "long, not at its end": {300 << 10, "", ""},
		} {
			files := s.files([]string{"one"}, strings.Repeat("x", c.between))
			first, rest, _ := strings.Cut(files[s.main], "\n")
			files[s.main] = first + "\n" + by("old") + rest + c.last
			found := sourcetest.Only(t, sourcetest.Find(t, source, sourcetest.Env(t, sourcetest.Home(t, files))))
			if found.Model != c.want {
				t.Errorf("%s: %q, want %q", name, found.Model, c.want)
			}
		}
	})
}
