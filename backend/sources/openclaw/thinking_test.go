package openclaw

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestThinkingThatIsNotSentAgain: by the interface and the model that answered. What is sent goes to any model, as text where it is another's.
func TestThinkingThatIsNotSentAgain(t *testing.T) {
	const answered = `"type":"message","message":{"role":"assistant","api":"API","provider":"PROVIDER","model":"MODEL","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"s"},{"type":"text","text":"two"}]}`
	for _, test := range []struct {
		api, provider, model string
		sent                 bool
	}{
		{"anthropic-messages", "anthropic", "claude-sonnet-4-20250514", false},
		{"anthropic-messages", "anthropic", "claude-sonnet-4-5", false},
		{"anthropic-messages", "anthropic", "claude-3-7-sonnet-latest", false},
		{"anthropic-messages", "anthropic", "claude-opus-4-5-20251101", true},
		{"anthropic-messages", "anthropic", "claude-sonnet-4-6", true},
		{"anthropic-messages", "anthropic", "claude-opus-5", true},
		{"anthropic-messages", "zai", "glm-5", true},
		{"bedrock-converse-stream", "amazon-bedrock", "us.anthropic.claude-sonnet-4-20250514-v1:0", false},
		{"bedrock-converse-stream", "amazon-bedrock", "us.anthropic.claude-opus-4-6-v1", true},
		{"anthropic-messages", "github-copilot", "claude-opus-4.6", false},
		{"openai-responses", "github-copilot", "gpt-5.4", false},
		{"openai-responses", "openai", "gpt-5.4", true},
		{"openai-completions", "openrouter", "anthropic/claude-sonnet-4", true},
		{"", "anthropic", "claude-sonnet-4", true},
	} {
		for agent, dir := range map[string]string{"openclaw": sessionsDir, "coderclaw": ".coderclaw/agents/main/sessions/"} {
			entry := strings.NewReplacer("API", test.api, "PROVIDER", test.provider, "MODEL", test.model).Replace(answered)
			env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{dir + "s1.jsonl": text("a - "+user("one"), "b a "+entry, "c b "+user("three"), "d c "+said("four"))}))
			source := Source{}
			if agent == "coderclaw" {
				source = Source{Fork: true}
			}
			r := sourcetest.Read(t, source, env, sourcetest.Only(t, sourcetest.Find(t, source, env)))
			want := "user: one\nassistant: two\nuser: three\nassistant: four\n"
			if test.sent || agent == "coderclaw" {
				want = strings.Replace(want, "assistant: two", "assistant: ~hm two", 1)
			}
			if got := r.Seen(t); r.Err != nil || got != want {
				t.Errorf("%s, %v: %v\n%s", agent, test, r.Err, got)
			}
		}
	}
}
