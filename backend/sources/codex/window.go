package codex

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// settings are those of a turn.
func (r *reader) settings(context gjson.Result, m sources.Meta) {
	r.at.open.some = true
	r.turnNamed(jsonl.Text(context.Get("turn_id")))
	if r.counted.Entry != "" { // which is of the turn before
		r.flush()
	}
	name := jsonl.Text(context.Get("model"))
	if r.windowed && name != r.model.Model { // it was another one's
		r.model.Window = 0
	}
	r.model.Model, r.model.ReasoningEffort = name, jsonl.Text(context.Get("effort"))
	if r.model == r.told || r.model.Model == "" {
		return
	}
	r.flush()
	r.told = r.model
	r.log.Model(sources.Model{Meta: m, Model: r.model})
}

// windowIs takes how large the model's window is in the turn that begins; it is not known where that does not say.
func (r *reader) windowIs(tokens gjson.Result) {
	r.model.Window, r.windowed = 0, false
	if tokens.Type == gjson.Number {
		r.model.Window = min(max(tokens.Int(), 0), record.MaxSeq)
	}
}

// windowCounted takes it from a count of tokens: some versions tell it nowhere else. It is written behind the answer in hand.
func (r *reader) windowCounted(tokens gjson.Result, m sources.Meta) {
	if tokens.Type != gjson.Number || tokens.Int() <= 0 {
		return
	}
	before := r.model.Window
	if r.windowIs(tokens); r.model.Window != before {
		r.counted = m
	}
	r.windowed = true
	r.tellWindow()
}

// tellWindow writes what a count told of the window, unless an answer is in hand.
func (r *reader) tellWindow() {
	m := r.counted
	if m.Entry == "" || r.answer != nil || len(r.results) > 0 {
		return
	}
	if r.counted = (sources.Meta{}); r.model != r.told && r.model.Model != "" {
		r.told = r.model
		r.log.Model(sources.Model{Meta: m, Model: r.model})
	}
}
