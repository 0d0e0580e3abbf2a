package codex

import (
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// marks tell what Codex takes a message for as it goes back: by its words, whatever labels say.
type marks struct {
	// turn is a message that a turn begins with.
	turn bool
	// put is one that Codex put in, which goes with the turn behind it.
	put bool
}

// summaryFirst is what Codex writes before a summary. A message that begins so is one, and nobody's.
const summaryFirst = "Another language model started to solve this problem and produced a summary of its thinking process. " +
	"You also have access to the state of the tools that were used by that language model. Use this to build on the work that has already been done " +
	"and avoid duplicating work. Here is the summary produced by the other language model, use the information in this summary to assist with your own analysis:\n"

// wrapped are what Codex puts into user messages: how each begins and ends.
var wrapped = [][2]string{
	{"# AGENTS.md instructions", "</INSTRUCTIONS>"},
	{"<environment_context>", "</environment_context>"},
	{"<skill>", "</skill>"},
	{"<user_shell_command>", "</user_shell_command>"},
	{"<turn_aborted>", "</turn_aborted>"},
	{"<subagent_notification>", "</subagent_notification>"},
	{"<goal_context>", "</goal_context>"},
	{"<codex_internal_context", "</codex_internal_context>"},
	{"<recommended_plugins>", "</recommended_plugins>"},
	{"<agent_message_board_notification>", "</agent_message_board_notification>"},
	{"<hook_prompt", "</hook_prompt>"},
	{"Warning: The maximum number of unified exec processes you can keep open is", ""},
	{"Warning: apply_patch was requested via ", "Use the apply_patch tool instead of exec_command."},
	{"Warning: Your account was flagged for potentially high-risk cyber activity", ""},
}

// advised are how what Codex puts in as the developer begins, where it goes with a turn.
var advised = []string{
	"<permissions instructions>", "<model_switch>", "<collaboration_mode>", "<multi_agent_mode>", "<realtime_conversation>", "<skills_instructions>",
	"<apps_instructions>", "<plugins_instructions>", "<personality_spec>", "<token_budget", "<context_window", "<rollout_budget>",
}

// marksOf are those of an item: one text that Codex put in marks all of a message.
func marksOf(item jsonl.Object) (m marks) {
	kind, role := item.Get("type").Str, item.Get("role").Str
	if kind == "agent_message" || kind == "message" && role == "assistant" && isSent(item) {
		return marks{turn: true}
	}
	if kind != "message" || role != "user" && role != "developer" {
		return m
	}
	summary := false
	take := func(text string) {
		if role == "developer" {
			m.put = m.put || begun(strings.TrimSpace(text), advised)
			return
		}
		m.put = m.put || isPutIn(text)
		summary = summary || strings.HasPrefix(text, summaryFirst)
	}
	content := item.Get("content")
	if content.Type == gjson.String {
		take(content.Str)
	}
	jsonl.Listed(content, func(value gjson.Result) bool {
		if value.IsObject() {
			take(jsonl.Text(jsonl.Member(value, "text")))
		}
		return true
	})
	m.turn = role == "user" && !m.put && !summary
	return m
}

func isPutIn(text string) bool {
	text = strings.TrimSpace(text)
	for _, w := range wrapped {
		if opens(text, w[0]) && len(text) >= len(w[1]) && strings.EqualFold(text[len(text)-len(w[1]):], w[1]) {
			return true
		}
	}
	return false
}

func begun(text string, with []string) bool {
	for _, first := range with {
		if opens(text, first) {
			return true
		}
	}
	return false
}

func opens(text, with string) bool {
	return len(text) >= len(with) && strings.EqualFold(text[:len(with)], with)
}
