package claudecode

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// write writes the records of a row where the log stands.
func (r *reader) write(row row) {
	row.meta.More = more(row.Fields)
	switch row.kind {
	case "user":
		r.user(row)
	case "assistant":
		r.answer(row)
	case "system":
		r.system(row)
	case "attachment":
		r.attachment(row)
	default:
		r.note(row, nil, false)
	}
}

// more are the members of a row that say something for themselves.
func more(rec *jsonl.Fields) map[string]json.RawMessage {
	kept := map[string]json.RawMessage{}
	for _, member := range []string{"cwd", "gitBranch", "agentId", "requestId", "version"} {
		if value := rec.Get(member); value.Type == gjson.String && value.Str != "" {
			kept[member] = json.RawMessage(value.Raw)
		}
	}
	return kept
}

// note writes a row as a note, with what it says to the model.
func (r *reader) note(row row, content []sources.Block, display bool) {
	name := row.kind
	if sub := jsonl.Text(row.Get("subtype")); sub != "" {
		name += "." + sub
	}
	if sub := jsonl.Text(row.Get("attachment.type")); sub != "" {
		name = "attachment." + sub
	}
	n := sources.Note{Meta: row.meta, Namespace: agent + "." + name, Content: content, Display: display}
	if len(content) == 0 {
		n.Data = json.RawMessage(row.Raw)
	}
	r.stand(row.id, r.log.Note(n), aside)
}

// user writes a row that is a user message to the model: what a person typed, results of tools, and what Claude Code put in.
func (r *reader) user(row row) {
	if row.Get("isCompactSummary").Bool() { // without a boundary
		seq := r.log.Compaction(sources.Compaction{Meta: row.meta, Summary: plain(row.content), Frame: asItStands, Trigger: "unknown"})
		r.stand(row.id, seq, turn)
		return
	}
	first := r.log.Next()
	parts := r.parts(row)
	for i, p := range parts {
		p.Meta = row.meta
		if i > 0 {
			p.Entry += "/" + strconv.Itoa(i)
			if p.Same != "" {
				p.Same += "/" + strconv.Itoa(i)
			}
		}
		switch {
		case p.injected:
			seq := r.log.Note(sources.Note{Meta: p.Meta, Namespace: agent + ".injected", Content: p.Content, Display: p.shown})
			r.stand(row.id, seq, aside)
		case p.Role == record.RoleToolResult:
			seq := r.log.Message(p.Message)
			r.results.Put(p.ToolCallID, int(seq))
			r.stand(row.id, seq, result)
		default:
			p.ByAgent = r.inline
			r.stand(row.id, r.log.Message(p.Message), turn)
		}
	}
	if len(parts) == 0 {
		r.note(row, nil, false)
	}
	r.begins(r.placeOf(row.id), first)
}

// part is what becomes a record of its own.
type part struct {
	sources.Message
	injected, shown bool
}

// parts splits the content of a user row.
func (r *reader) parts(row row) []part {
	var parts []part
	add := func(block sources.Block, injected, shown bool) {
		if last := len(parts) - 1; last >= 0 && parts[last].Role == record.RoleUser && parts[last].injected == injected && parts[last].shown == shown {
			parts[last].Content = append(parts[last].Content, block)
			return
		}
		parts = append(parts, part{
			Message: sources.Message{Role: record.RoleUser, Content: []sources.Block{block}}, injected: injected, shown: shown,
		})
	}
	isMeta := row.Get("isMeta").Bool()
	if row.content.Type == gjson.String {
		is, shown := injected(row.content.Str)
		add(r.log.Text(row.content.Str), is || isMeta, shown)
		return parts
	}
	jsonl.Listed(row.content, func(block gjson.Result) bool {
		switch jsonl.Member(block, "type").Str {
		case "tool_result":
			parts = append(parts, part{Message: r.toolResult(row, block)})
		case "text":
			text := jsonl.Member(block, "text")
			is, shown := injected(text.Str)
			add(r.log.Text(jsonl.Text(text)), is || isMeta, shown)
		default:
			if block.IsObject() {
				add(r.block(block), isMeta, false)
			}
		}
		return true
	})
	return parts
}

// dropped are rows that repeat the conversation or say nothing of it.
var dropped = map[string]bool{
	"api-request": true, "api-request-shape": true, "api-request-blob": true, "prompt_snapshot": true, "tools-used": true, "atis-latch": true,
	"mode": true, "permission-mode": true, "last-prompt": true, "file-history-snapshot": true, "agent-name": true, "progress": true,
}

// loose writes a line that is not part of the forest. Titles come again and again; only a new one is news.
func (r *reader) loose(kind string, rec *jsonl.Fields, line sources.Line) {
	m := sources.Meta{Time: jsonl.Time(rec.Get("timestamp")), Entry: "line " + strconv.Itoa(line.Number)}
	if kind == "last-prompt" {
		r.checkpoint.note(rec)
		r.rewind(m)
	}
	if dropped[kind] {
		return
	}
	text := rec.Raw
	switch kind {
	case "custom-title", "ai-title", "summary", "tag", "pr-link":
		if r.notes[kind] == text {
			return
		}
		r.notes[kind] = text
	}
	r.log.Note(sources.Note{Meta: m, Namespace: agent + "." + kind, Data: json.RawMessage(text)})
}

// plain is the text of a content.
func plain(content gjson.Result) string {
	if content.Type == gjson.String {
		return jsonl.Text(content)
	}
	var parts []string
	content.ForEach(func(_, block gjson.Result) bool {
		if text := jsonl.Text(block.Get("text")); text != "" {
			parts = append(parts, text)
		}
		return true
	})
	return strings.Join(parts, "\n")
}
