package backend

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/tokens"
)

// TestWindowOfTheirs: another agent's session is held against the window of the model that it has there.
func TestWindowOfTheirs(t *testing.T) {
	home := t.TempDir()
	pi := func(id, provider, model string) {
		text := strings.NewReplacer(`"id":"s1"`, `"id":"`+id+`"`, `"provider":"p","model":"m"`, `"provider":"`+provider+`","model":"`+model+`"`).Replace(piSession())
		sourcetest.Write(t, home, strings.Replace(piPlace, "_s1", "_"+id, 1), text)
	}
	pi("known", "google", "gemini-2.5-pro")
	pi("elsewhere", "mine", "anthropic/claude-opus-4-5-20251101")
	pi("nobody", "mine", "what-nobody-knows")
	codex := "01a1fbb2-0000-7000-8000-000000000001"
	sourcetest.Write(t, home, ".codex/sessions/2026/11/21/rollout-2026-11-21T01-00-00-"+codex+".jsonl",
		`{"timestamp":"2026-11-21T01:00:00Z","type":"session_meta","payload":{"id":"`+codex+`","cwd":"/w","cli_version":"0.169.0","model_provider":"openai"}}`+"\n"+
			`{"timestamp":"2026-11-21T01:00:01Z","type":"event_msg","payload":{"type":"task_started","turn_id":"t1","model_context_window":190000}}`+"\n"+
			`{"timestamp":"2026-11-21T01:00:01Z","type":"turn_context","payload":{"turn_id":"t1","cwd":"/w","model":"gpt-5"}}`+"\n"+
			`{"timestamp":"2026-11-21T01:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}}`+"\n")
	b := abroad(t, home)
	for id, want := range map[string]int{"pi:known": 1_048_576, "pi:elsewhere": 200_000, "pi:nobody": tokens.DefaultWindow, "codex:" + codex: 190_000} {
		for _, opts := range []ContextOptions{{}, {WithoutMessages: true}} {
			c, err := b.Context(id, opts)
			newsMust(t, err)
			if c.Tokens.Window != want || c.Tokens.WindowAssumed != (id == "pi:nobody") {
				t.Errorf("%s: %+v", id, c.Tokens)
			}
		}
		if s, err := b.Sizes(t.Context(), id, 0); err != nil || s.Window != want {
			t.Errorf("%s: %d, %v", id, s.Window, err)
		}
	}
}
