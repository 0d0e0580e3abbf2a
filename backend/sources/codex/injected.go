package codex

import (
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// summaryBegins is how a summary begins when it stands in a user message.
const summaryBegins = "Another language model started to solve this problem"

// begins are the beginnings of what Codex puts into user messages, in lower case.
var begins = []string{
	"# agents.md instructions", "<instructions>", "<user_instructions>", "<environment_context>", "<turn_aborted>", "<skill>",
	"<skills_instructions>", "<permissions instructions>", "<user_shell_command>", "<subagent_notification>", "<personality_spec>",
	"<collaboration_mode>", "<model_switch>", "<apps_instructions>", "<plugins_instructions>", "<hook_prompt>", "<user_action>",
	strings.ToLower(summaryBegins),
}

// injected tells whether Codex put a text into a user message, by its label if it has one.
func injected(text, label string) bool {
	if kind, _, _ := strings.Cut(label, "."); kind != "" && kind != "unknown" && strings.Contains(label, ".") {
		return kind != "user"
	}
	const longest = 60
	start := strings.TrimSpace(text)
	start = strings.ToLower(start[:min(longest, len(start))])
	for _, begin := range begins {
		if strings.HasPrefix(start, begin) {
			return true
		}
	}
	return false
}

// labels are those of a message's content, one each.
func labels(item jsonl.Object) []gjson.Result {
	return item.Get("internal_chat_message_metadata_passthrough.content_item_kinds").Array()
}

// request is what a person typed, without what an editor put before it under headings of its own.
func request(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "# ") {
		if _, after, ok := strings.Cut(text, "\n## My request for Codex:"); ok {
			return strings.TrimSpace(after)
		}
	}
	return text
}

// typed is the text of an item that a person typed, empty if it is none.
func typed(item gjson.Result) string {
	if item.Get("type").Str != "message" || item.Get("role").Str != "user" {
		return ""
	}
	content := item.Get("content")
	if text := request(content.Str); content.Type == gjson.String && !injected(text, "") && jsonl.Typed(text) {
		return text
	}
	kinds := labels(item)
	var parts []string
	place := 0
	content.ForEach(func(_, block gjson.Result) bool {
		label := ""
		if place < len(kinds) {
			label = kinds[place].Str
		}
		place++
		text := request(jsonl.Text(block.Get("text")))
		if !injected(text, label) && jsonl.Typed(text) {
			parts = append(parts, text)
		}
		return true
	})
	return strings.Join(parts, "\n")
}
