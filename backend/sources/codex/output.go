package codex

import (
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// result is the output of a call as the model got it. It has been a text, a JSON text, a list of content and an object.
func (r *reader) result(item jsonl.Object) piece {
	p := piece{Message: sources.Message{Role: record.RoleToolResult, ToolCallID: jsonl.Text(item.Get("call_id"))}}
	output := item.Get("output")
	if !output.Exists() {
		output = item.Get("tools")
	}
	if output.IsObject() {
		if success := output.Get("success"); success.Exists() {
			p.IsError = success.Type == gjson.False
		}
		p.IsError = p.IsError || failed(output.Raw)
		if content := output.Get("content"); content.Exists() {
			output = content
		}
	}
	switch {
	case output.Type == gjson.String:
		p.Content = []sources.Block{r.log.Text(output.Str)}
		p.IsError = p.IsError || failed(output.Str)
	case output.IsArray():
		output.ForEach(func(_, value gjson.Result) bool {
			if value.IsObject() {
				p.Content = append(p.Content, r.blocks(value)...)
				p.IsError = p.IsError || failed(jsonl.Text(value.Get("text")))
			}
			return true
		})
	case output.Exists():
		p.Content = []sources.Block{r.log.Text(output.Raw)}
	}
	status := item.Get("status").Str
	p.IsError = p.IsError || status == "failed" || status == "declined" || r.failed[p.ToolCallID]
	if p.Started = r.started[p.ToolCallID]; p.Started == "" && strings.HasPrefix(output.Str, "{") {
		p.Started = jsonl.Text(gjson.Get(output.Str, "agent_id"))
	}
	return p
}

// exited are the ways in which the head of an output has told an exit code other than 0, and refused are what Codex answers itself.
var (
	exited  = regexp.MustCompile(`(?m)^(?:Process exited with code|Exit code:) -?0*[1-9]\d*\s*$`)
	refused = []string{
		"unsupported call: ", "unsupported custom tool call: ", "failed to parse function arguments", "execution error: ", "exec_command failed",
		"write_stdin failed", "apply_patch verification failed", "patch rejected", "tool call rejected", "aborted", "tool call error: ", "err: ",
		"failed in sandbox", "command timed out",
	}
)

// headMost is the longest head of an output.
const headMost = 2 << 10

// failed tells whether an output is that of a failure. Only what stands before the output proper counts.
func failed(output string) bool {
	if strings.HasPrefix(output, "{") {
		if code := gjson.Get(output, "metadata.exit_code"); code.Exists() {
			return code.Int() != 0
		}
	}
	output = output[:min(len(output), headMost)]
	head, _, told := strings.Cut(output, "\nOutput:\n")
	if told {
		return exitedBy(head)
	}
	start := strings.ToLower(output[:min(len(output), 200)])
	if first, rest, ok := strings.Cut(start, "\n"); ok && strings.HasPrefix(first, "wall time:") {
		start = rest
	}
	for _, begin := range refused {
		if strings.HasPrefix(start, begin) {
			return true
		}
	}
	return (strings.HasPrefix(head, "Chunk ID:") || strings.HasPrefix(head, "Exit code:")) && exitedBy(head)
}

// exitedBy tells whether the head of an output tells such a code.
func exitedBy(head string) bool {
	return (strings.Contains(head, "Process exited with code ") || strings.Contains(head, "Exit code: ")) && exited.MatchString(head)
}

// spawned notes which thread a call has started: the output of the call does not always say.
func (r *reader) spawned(event gjson.Result) {
	call, thread := event.Get("call_id"), event.Get("new_thread_id")
	if item := event.Get("item"); item.Get("tool").Str == "spawn_agent" {
		call, thread = item.Get("id"), item.Get("receiver_thread_ids.0")
	}
	if id := jsonl.Text(thread); id != "" {
		r.started[jsonl.Text(call)] = id
	}
}

// ended notes which commands failed, as events tell it: an output does not always say.
func (r *reader) ended(event gjson.Result) {
	item, id := event, jsonl.Text(event.Get("call_id"))
	if event.Get("type").Str == "item_completed" {
		item = event.Get("item")
		id = jsonl.Text(item.Get("id"))
	}
	status := item.Get("status").Str
	if id != "" && (item.Get("exit_code").Int() != 0 || item.Get("success").Type == gjson.False || status == "failed" || status == "declined" || item.Get("result.Err").Exists() ||
		item.Get("result.Ok.isError").Bool() || item.Get("result.isError").Bool()) {
		r.failed[id] = true
		for i := range r.results {
			if p := &r.results[i]; p.ToolCallID == id {
				p.IsError = true
			}
		}
	}
}
