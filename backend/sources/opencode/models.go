package opencode

import (
	"cmp"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// models are those that the first messages of a session name, in their order.
type models struct {
	messages        int
	answered, asked string
}

// take takes the next message, which may also tell where the session works.
func (m *models) take(info gjson.Result, f *sources.Found) {
	m.messages++
	f.Cwd = cmp.Or(f.Cwd, jsonl.Text(info.Get("path.cwd")))
	m.answered, m.asked = cmp.Or(answeredBy(info), m.answered), cmp.Or(jsonl.Text(info.Get("model.modelID")), m.asked)
}

// answeredBy is the model that gave an answer; empty for a summary, which is none. The first versions name it further in.
func answeredBy(info gjson.Result) string {
	if info.Get("summary").Bool() {
		return ""
	}
	return cmp.Or(jsonl.Text(info.Get("modelID")), jsonl.Text(info.Get("metadata.assistant.modelID")))
}

// tell tells of the one that answered last, or was asked if none did; not so if there may be more messages.
func (m *models) tell(f *sources.Found) {
	if m.messages < peekMessages {
		f.Model = cmp.Or(f.Model, m.answered, m.asked)
	}
}
