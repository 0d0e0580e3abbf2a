package codex

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// repeated are the events that tell what items tell, or how far something is.
var repeated = map[string]bool{
	"agent_reasoning_raw_content":   true,
	"agent_reasoning_section_break": true, "context_compacted": true,
	"thread_settings_applied": true, "exec_command_begin": true, "exec_command_output_delta": true, "patch_apply_begin": true,
	"mcp_tool_call_begin": true, "web_search_begin": true, "web_search_end": true, "item_started": true, "thread_name_updated": true,
	"raw_response_item": true, "turn_diff": true,
}

// event takes one that was written for the screen.
func (r *reader) event(event gjson.Result, m sources.Meta) {
	kind := event.Get("type").Str
	turn := jsonl.Text(event.Get("turn_id"))
	switch kind {
	case "task_started", "turn_started":
		r.flush()
		if window := event.Get("model_context_window"); window.Exists() || !r.windowed { // else it is as it was counted
			r.windowIs(window)
		}
		r.turnBegins(turn)
	case "user_message":
		r.at.open.some, r.at.open.turn = true, true
	case "agent_reasoning", "agent_message":
		if len(r.results) > 0 { // the next answer has begun, and what is told of tokens now is its
			r.flush()
		}
	case "token_count":
		r.tokenCount(event)
		r.windowCounted(event.Get("info.model_context_window"), m)
	case "item_completed", "exec_command_end", "mcp_tool_call_end", "patch_apply_end":
		r.ended(event)
		r.spawned(event)
	case "collab_agent_spawn_end":
		r.spawned(event)
		r.note(kind, event, m, false)
	case "thread_rolled_back":
		r.flush()
		r.rollback(event.Get("num_turns").Int(), m)
	case "task_complete", "turn_complete":
		r.turnNamed(turn)
		if why := event.Get("error"); why.IsObject() {
			r.failure(jsonl.Text(why.Get("message")), m)
		}
		r.flush()
	case "error", "stream_error":
		if kind == "error" {
			r.failure(jsonl.Text(event.Get("message")), m)
			return
		}
		r.note(kind, event, m, false)
	case "turn_aborted":
		r.turnNamed(turn)
		r.note(kind, event, m, true)
	case "entered_review_mode", "exited_review_mode":
		r.note(kind, event, m, true)
	default:
		if !repeated[kind] {
			r.note(kind, event, m, false)
		}
	}
}

// failure is a turn that ended with an error.
func (r *reader) failure(why string, m sources.Meta) {
	r.flush()
	r.log.Message(sources.Message{
		Meta: m, Role: record.RoleAssistant, Model: r.model.Model, Provider: r.model.Provider, StopReason: record.StopError, ErrorMessage: why,
	})
}
