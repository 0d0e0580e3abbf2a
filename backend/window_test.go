package backend

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/states"
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
	large := "01a1fbb2-0000-7000-8000-000000000002"
	sourcetest.Write(t, home, ".codex/sessions/2026/11/21/rollout-2026-11-21T02-00-00-"+large+".jsonl",
		`{"timestamp":"2026-11-21T02:00:00Z","type":"session_meta","payload":{"id":"`+large+`","cwd":"/w","cli_version":"0.169.0","model_provider":"openai"}}`+"\n"+
			`{"timestamp":"2026-11-21T02:00:01Z","type":"event_msg","payload":{"type":"task_started","turn_id":"t1","model_context_window":180000}}`+"\n"+
			`{"timestamp":"2026-11-21T02:00:01Z","type":"turn_context","payload":{"turn_id":"t1","cwd":"/w","model":"gpt-5"}}`+"\n"+
			`{"timestamp":"2026-11-21T02:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"`+strings.Repeat("much hay ", states.ExactBytes/8)+`"}]}}`+"\n"+
			`{"timestamp":"2026-11-21T02:00:03Z","type":"event_msg","payload":{"type":"task_started","turn_id":"t2"}}`+"\n"+
			`{"timestamp":"2026-11-21T02:00:03Z","type":"turn_context","payload":{"turn_id":"t2","cwd":"/w","model":"gemini-2.5-pro"}}`+"\n"+
			`{"timestamp":"2026-11-21T02:00:04Z","type":"event_msg","payload":{"type":"task_started","turn_id":"t3","model_context_window":170000}}`+"\n"+
			`{"timestamp":"2026-11-21T02:00:04Z","type":"turn_context","payload":{"turn_id":"t3","cwd":"/w","model":"gpt-5"}}`+"\n"+
			`{"timestamp":"2026-11-21T02:00:05Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}}`+"\n")
	b := abroad(t, home)
	for id, want := range map[string]int{"pi:known": 1_048_576, "pi:elsewhere": 200_000, "pi:nobody": tokens.DefaultWindow, "codex:" + codex: 190_000, "codex:" + large: 170_000} {
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
	switched := false // to a model of which the turn does not say how large its window is
	for at := int64(1); at < 12; at++ {
		c, err := b.Context("codex:"+large, ContextOptions{At: at, WithoutMessages: true})
		if err == nil && c.Model != nil && *c.Model == "gemini-2.5-pro" {
			switched = true
			if c.Tokens.Window != 1_048_576 {
				t.Errorf("record %d: %+v", at, c.Tokens)
			}
		}
	}
	if !switched {
		t.Error("the model was never another one")
	}
}
