package codex

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

func TestToolErrors(t *testing.T) {
	for output, want := range map[string]bool{
		`{"output":"x","metadata":{"exit_code":0}}`: false, `{"output":"x","metadata":{"exit_code":2}}`: true,
		"Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nProcess exited with code 2\n": false,
		"Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 127\nOriginal token count: 1\nOutput:\nx": true,
		"Chunk ID: a\nWall time: 0.1 seconds\nProcess running with session ID 3\nOutput:\n":                      false,
		"Exit code: 1\nWall time: 0.1 seconds\nOutput:\nx":                                                       true, "Exit code: 0\nWall time: 0.1 seconds\nOutput:\n": false,
		"Wall time: 0.1 seconds\naborted by user": true, "unsupported call: x": true, "fine": false, "": false,
	} {
		if failed(output) != want {
			t.Errorf("%q: %v", output, !want)
		}
	}
	r := read(t, envelope(0, header(id, ""), item(`{"type":"function_call","name":"sh","arguments":"{}","call_id":"c"}`),
		`event_msg {"type":"exec_command_end","call_id":"c","exit_code":1}`, item(`{"type":"function_call_output","call_id":"c","output":"fine"}`)))
	if !r.Context(t).Messages[1].IsError {
		t.Error("an event told of the failure")
	}
	r = read(t, envelope(0, header(id, ""), item(`{"type":"function_call","name":"sh","arguments":"{}","call_id":"c"}`),
		item(`{"type":"function_call_output","call_id":"c","output":"fine"}`), `event_msg {"type":"exec_command_end","call_id":"c","exit_code":1}`))
	if !r.Context(t).Messages[1].IsError {
		t.Error("an event told of the failure behind the output")
	}
	r = read(t, envelope(0, header(id, ""), item(`{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch","call_id":"c"}`),
		`event_msg {"type":"patch_apply_end","call_id":"c","success":false}`, item(`{"type":"custom_tool_call_output","call_id":"c","output":"fine"}`)))
	if !r.Context(t).Messages[1].IsError {
		t.Error("an event told of the patch that failed")
	}
}

// TestPlainForms: a content that is a text and an output that is an object say what their longer forms do.
func TestPlainForms(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, envelope(0, header(id, ""), item(`{"type":"message","role":"user","content":"one"}`),
		item(`{"type":"function_call","call_id":"c","name":"shell","arguments":"{}"}`),
		item(`{"type":"function_call_output","call_id":"c","output":{"output":"no","metadata":{"exit_code":2}}}`)))
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	r := sourcetest.Read(t, Source{}, env, found)
	if found.FirstMessage != "one" || !strings.Contains(r.Story(), "message user: one\n") || !r.Context(t).Messages[2].IsError {
		t.Errorf("%q\n%s", found.FirstMessage, r.Story())
	}
}
