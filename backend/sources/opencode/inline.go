package opencode

import (
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/glean"
)

// inline are the parts that a message holds itself, as in the first versions, in the form that they have since.
func inline(info gjson.Result) []row {
	var out []row
	for i, part := range info.Get("parts").Array() {
		id := fmt.Sprintf("%s.%d", info.Get("id").Str, i)
		data := []byte(part.Raw)
		if call := part.Get("toolInvocation"); call.IsObject() {
			data = toolOf(call, info.Get("metadata.tool").Map()[call.Get("toolCallId").Str])
		}
		out = append(out, row{id: id, data: data, bytes: int64(len(data))})
	}
	return out
}

// toolOf is a call of the first versions as later ones have it.
func toolOf(call, about gjson.Result) []byte {
	state := map[string]json.RawMessage{"status": glean.Quote("running")}
	if input := glean.Raw(call.Get("args")); input != nil {
		state["input"] = input
	}
	if call.Get("state").Str == "result" {
		state["status"], state["output"] = glean.Quote("completed"), glean.Quote(call.Get("result").String())
		if about.Get("error").Bool() {
			state["status"], state["error"] = glean.Quote("error"), state["output"]
		}
	}
	if raw := glean.Raw(about); raw != nil {
		state["metadata"] = raw
	}
	data, err := json.Marshal(map[string]any{
		"type": "tool", "callID": call.Get("toolCallId").Str, "tool": call.Get("toolName").Str, "state": state,
	})
	if err != nil {
		return nil // of valid parts only, so it never is
	}
	return data
}
