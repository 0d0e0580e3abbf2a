package codex

import (
	"iter"
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
	var parts []string
	for text, label := range textsOf(item) {
		if text = request(text); !injected(text, label) && jsonl.Typed(text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

// textsOf are the texts of a message, each with its label; that of an image is empty.
func textsOf(item gjson.Result) iter.Seq2[string, string] {
	return func(yield func(text, label string) bool) {
		content, kinds := item.Get("content"), labels(item)
		if content.Type == gjson.String {
			yield(content.Str, "")
			return
		}
		place := 0
		content.ForEach(func(_, block gjson.Result) bool {
			label := ""
			if place < len(kinds) {
				label = kinds[place].Str
			}
			place++
			return yield(jsonl.Text(block.Get("text")), label)
		})
	}
}

// speaks tells whether a reading has a message of an item, or a part of one, and not only a note, as of what Codex put in.
func speaks(item gjson.Result) bool {
	switch item.Get("type").Str {
	case "message":
		return item.Get("role").Str == "assistant" || item.Get("role").Str == "user" && personal(item)
	case "reasoning", "function_call", "custom_tool_call", "local_shell_call", "tool_search_call", "web_search_call",
		"function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output", "mcp_tool_call_output":
		return true
	}
	return false
}

// personal tells whether anything in a user message is not from Codex.
func personal(item gjson.Result) bool {
	for text, label := range textsOf(item) {
		if !injected(text, label) {
			return true
		}
	}
	return false
}
