package claudecode

import (
	"slices"
	"strings"
	"testing"
)

// TestAttached: where Claude Code did not note what the model was told of an attachment, that is what stands in it; some it shows a person alone.
func TestAttached(t *testing.T) {
	for attachment, want := range map[string]string{
		`"type":"file","content":{"type":"text","file":{"content":"F"}}`:                                               "user: F",
		`"type":"file","content":{"type":"notebook","file":{"cells":[{"source":"one"},{"source":"two"}]}}`:             "user: one | two",
		`"type":"file","content":{"type":"image","file":{"base64":"AQID","type":"image/png"}}`:                         "user: [image]",
		`"type":"edited_text_file","snippet":"1 x"`:                                                                    "user: 1 x",
		`"type":"nested_memory","content":{"path":"/w/CLAUDE.md","content":"rules"}`:                                   "user: rules",
		`"type":"relevant_memories","memories":[{"content":"one"},{"content":"two"}]`:                                  "user: one | two",
		`"type":"invoked_skills","skills":[{"name":"s","content":"do"}]`:                                               "user: do",
		`"type":"plan_file_reference","planContent":"plan"`:                                                            "user: plan",
		`"type":"diagnostics","files":[{"diagnostics":[{"message":"bad"},{"message":"worse"}]}]`:                       "user: bad | worse",
		`"type":"mcp_resource","content":{"contents":[{"uri":"u","text":"res"}]}`:                                      "user: res",
		`"type":"hook_additional_context","content":["one","two"]`:                                                     "user: one | two",
		`"type":"hook_blocking_error","blockingError":{"blockingError":"no","command":"c"}`:                            "user: no",
		`"type":"hook_stopped_continuation","message":"stop"`:                                                          "user: stop",
		`"type":"async_hook_response","response":{"systemMessage":"s","hookSpecificOutput":{"additionalContext":"c"}}`: "user: s | c",
		`"type":"task_status","description":"d","deltaSummary":"s"`:                                                    "user: d | s",
		`"type":"agent_listing_delta","addedLines":["- a"]`:                                                            "user: - a",
		`"type":"mcp_instructions_delta","addedBlocks":["b"]`:                                                          "user: b",
		`"type":"hook_success","hookEvent":"SessionStart","content":"out"`:                                             "user: out",
		`"type":"hook_success","hookEvent":"PostToolUse","content":"out"`:                                              "",
		`"type":"hook_system_message","content":"out"`:                                                                 "",
		`"type":"already_read_file","content":{"file":{"content":"F"}}`:                                                "",
	} {
		view := read(t, rows("1 - "+user("one"), `2 1 "type":"attachment","attachment":{`+attachment+`}`)).View(t)
		if got := strings.Join(view, "; "); got != strings.TrimSuffix("user: one; "+want, "; ") {
			t.Errorf("%s: %s", attachment, got)
		}
	}
	const noted = `2 1 "type":"attachment","attachment":{"type":"nested_memory","content":{"content":"as it was"}},"rendered":[{"content":"as it was sent"}]`
	if view := read(t, rows("1 - "+user("one"), noted)).View(t); !slices.Equal(view, []string{"user: one", "user: as it was sent"}) {
		t.Errorf("%q", view)
	}
}
