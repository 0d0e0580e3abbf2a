package claudecode

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// brief is a row as far as lists need it, read in one go.
type brief struct {
	kind, uuid, session, cwd, version, model, title, leaf string
	origin                                                string
	time, message                                         gjson.Result
	meta, summary, beside                                 bool
}

func briefly(line []byte) (b brief, ok bool) {
	rec := gjson.ParseBytes(line)
	if !rec.IsObject() {
		return b, false
	}
	rec.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "type":
			b.kind = value.Str
		case "uuid":
			b.uuid = jsonl.Text(value)
		case "sessionId":
			b.session = jsonl.Text(value)
		case "cwd":
			b.cwd = jsonl.Text(value)
		case "version":
			b.version = jsonl.Text(value)
		case "customTitle", "aiTitle", "summary":
			b.title = jsonl.OneLine(jsonl.Text(value))
		case "leafUuid":
			b.leaf = jsonl.Text(value)
		case "requestSessionId":
			b.origin = jsonl.Text(value)
		case "forkedFrom":
			b.origin = jsonl.Text(value.Get("sessionId"))
		case "timestamp":
			b.time = value
		case "message":
			b.message = value
		case "isMeta":
			b.meta = value.Bool()
		case "isCompactSummary":
			b.summary = value.Bool()
		case "isSidechain":
			b.beside = value.Bool()
		}
		return true
	})
	if b.kind == "assistant" {
		b.model = jsonl.Text(b.message.Get("model"))
	}
	return b, true
}
