package claudecode

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// provider is who made the models; where they ran is not in the files.
const provider = "anthropic"

// stops are Claude's stop reasons as ours are called.
var stops = map[string]string{"end_turn": "stop", "stop_sequence": "stop", "tool_use": "toolUse", "max_tokens": "length"}

// answer writes an answer with all of its rows, where the first of them stands.
func (r *reader) answer(row row) {
	first, _ := r.index.answers.firstOf(row.at.offset)
	rows := []jsonl.Object{row.Fields}
	for _, at := range r.index.answers.behind(first) {
		if rec := r.again(at); rec.IsObject() {
			if last := r.spanOf(jsonl.Text(rec.Get("uuid"))); last.length > 0 && last.offset != at.offset {
				rec = r.again(last)
			}
			rows = append(rows, rec)
		}
	}
	m := sources.Message{Meta: row.meta, Role: record.RoleAssistant, Provider: provider}
	m.Same = sameOfRows(rows)
	for _, rec := range rows {
		message := r.message.Read(rec.Get("message"))
		m.Content = append(m.Content, r.blocks(message.Get("content"))...)
		switch u := usage(r.usage.Read(message.Get("usage"))); { // the last one is whole
		case u == nil:
		case r.inherited(rec, row.at.offset):
			m.Took = u
		default:
			m.Usage = u
		}
		if stop := jsonl.Text(message.Get("stop_reason")); stop != "" {
			if m.StopReason = stops[stop]; m.StopReason == "" {
				m.StopReason = stop
			}
		}
		if model := jsonl.Text(message.Get("model")); model != synthetic {
			m.Model = model
		}
	}
	if row.Get("isApiErrorMessage").Bool() {
		m.StopReason, m.ErrorMessage = record.StopError, plain(row.content)
	}
	if now := (record.Model{Provider: provider, Model: m.Model, ReasoningEffort: jsonl.Text(row.Get("effort"))}); m.Model != "" && now != r.model {
		r.model = now
		at := row.meta
		at.Entry += "/model"
		at.More = nil
		r.log.Model(sources.Model{Meta: at, Model: now})
	}
	r.index.answers.wrote(first, r.stand(row.id, r.log.Message(m), answer))
}

// inherited tells of rows that were copied from another session, whose tokens are that one's.
func (r *reader) inherited(rec jsonl.Object, offset int64) bool {
	session := jsonl.Text(rec.Get("sessionId"))
	return r.inherits || saysCopied(rec) || !r.has.sub && r.index.copied(offset, session)
}

var counters = sources.Counters{
	Input: []string{"input_tokens"}, Output: []string{"output_tokens"}, CacheRead: []string{"cache_read_input_tokens"},
	CacheWrite: []string{"cache_creation_input_tokens"},
}

// usage is nil where none was reported.
func usage(value jsonl.Object) *record.Usage {
	u := record.Usage{
		Input: count(value.Get("input_tokens")), Output: count(value.Get("output_tokens")),
		CacheRead: count(value.Get("cache_read_input_tokens")), CacheWrite: count(value.Get("cache_creation_input_tokens")),
	}
	if u.IsZero() {
		return nil
	}
	u.Untold = counters.Untold(value)
	return &u
}

func count(value gjson.Result) int { return int(max(value.Int(), 0)) }
