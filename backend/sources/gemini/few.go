package gemini

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// fewMost is how many items are read of a list in one message, and messageLeast how long messages are, on average, of a list that is read
// to its end.
var (
	fewMost      = 1 << 16
	messageLeast = 64
)

// few are the items of a list in a message.
func few(list gjson.Result) []gjson.Result {
	items, _ := jsonl.Some(list, fewMost)
	return items
}

// messagesIn are those of a list.
func messagesIn(list gjson.Result) []gjson.Result {
	items, _ := someMessages(list)
	return items
}

func someMessages(list gjson.Result) (items []gjson.Result, all bool) {
	return jsonl.Some(list, max(fewMost, len(list.Raw)/messageLeast))
}

// messages are those of a list that stands in a line. Where it has more than are read, the log says so.
func (r *reader) messages(line sources.Line, list gjson.Result) []gjson.Result {
	items, all := someMessages(list)
	if !all {
		r.log.Unknown(line.Offset, "list of messages", int64(len(list.Raw)))
	}
	return items
}

// crowded notes that there is more in a list of a message than is read.
func (r *reader) crowded(m gjson.Result) {
	if len(m.Raw) <= fewMost { // most are too short for it
		return
	}
	look := func(list gjson.Result, what string) {
		if _, all := jsonl.Some(list, fewMost); !all {
			r.log.Overlong(jsonl.Text(m.Get("id"))+"/"+what, "list of "+what, int64(len(list.Raw)))
		}
	}
	look(m.Get("content"), "content")
	look(m.Get("thoughts"), "thoughts")
	look(m.Get("toolCalls"), "toolCalls")
	for _, part := range parts(m.Get("content")) {
		look(part.Get("functionResponse.parts"), "parts")
	}
	for _, call := range few(m.Get("toolCalls")) {
		look(call.Get("result"), "result")
	}
}
