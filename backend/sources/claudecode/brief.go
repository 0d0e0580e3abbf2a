package claudecode

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// brief is a row as far as lists need it, read in one go.
type brief struct {
	kind, uuid, session, cwd, version, model, title, leaf string
	origin                                                string
	after                                                 string // valid as long as the line
	time, message                                         gjson.Result
	meta, summary, beside, boundary                       bool
}

// said tells whether a reading has a message of a row, and not only a note or a compaction: it is an answer, or not all of it is from Claude Code.
func (b *brief) said() (is bool) {
	if b.kind != "user" || b.summary {
		return b.kind == "assistant"
	}
	typed := func(text string) bool {
		put, _ := injected(text)
		return !put && !b.meta
	}
	content := b.message.Get("content")
	if content.Type == gjson.String {
		return typed(content.Str)
	}
	content.ForEach(func(_, block gjson.Result) bool {
		switch block.Get("type").Str {
		case "tool_result":
			is = true
		case "text":
			is = typed(block.Get("text").Str)
		default:
			is = block.IsObject() && !b.meta
		}
		return !is
	})
	return is
}

// briefly reads a row; what it says is valid as long as the line, but for texts that are kept.
func briefly(line []byte, into *jsonl.Fields) (b brief, ok bool) {
	rec := into.Read(jsonl.View(line))
	if !rec.IsObject() {
		return b, false
	}
	for i := range rec.Len() {
		switch rec.Name(i) {
		case "type":
			b.kind = rec.Value(i).Str
		case "uuid":
			b.uuid = jsonl.Text(rec.Value(i))
		case "sessionId":
			b.session = jsonl.Text(rec.Value(i))
		case "cwd":
			b.cwd = jsonl.Text(rec.Value(i))
		case "version":
			b.version = jsonl.Text(rec.Value(i))
		case "customTitle", "aiTitle", "summary":
			b.title = jsonl.OneLine(jsonl.Text(rec.Value(i)))
		case "leafUuid":
			b.leaf = jsonl.Text(rec.Value(i))
		case "requestSessionId":
			b.origin = jsonl.Text(rec.Value(i))
		case "forkedFrom":
			b.origin = jsonl.Text(rec.Value(i).Get("sessionId"))
		case "parentUuid", "logicalParentUuid":
			if after := rec.Value(i).Str; after != "" {
				b.after = after
			}
		case "timestamp":
			b.time = rec.Value(i)
		case "message":
			b.message = rec.Value(i)
		case "isMeta":
			b.meta = rec.Value(i).Bool()
		case "subtype":
			b.boundary = rec.Value(i).Str == "compact_boundary"
		case "isCompactSummary":
			b.summary = rec.Value(i).Bool()
		case "isSidechain":
			b.beside = rec.Value(i).Bool()
		}
	}
	if b.kind == "assistant" {
		b.model = jsonl.Text(b.message.Get("model"))
	}
	return b, true
}
