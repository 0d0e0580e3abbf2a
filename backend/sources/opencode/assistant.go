package opencode

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// step is one request to the model: what it answered, and what the tools it called gave.
type step struct {
	blocks  []sources.Block
	results []result
	usage   *record.Usage
	reason  string
	closed  bool
	// secret is thinking that only its provider can read.
	secret []jsonRaw
}

type result struct {
	sources.Message
	cleared float64
	tokens  int64
}

func (w *message) addAssistant(id string, part gjson.Result) {
	switch part.Get("type").Str {
	case "step-start":
		if w.step.closed || len(w.step.blocks) > 0 {
			w.endStep(false)
		}
	case "step-finish":
		w.step.usage = usage(part.Get("tokens"), part.Get("cost"))
		w.step.reason, w.step.closed = part.Get("reason").Str, true
	case "text":
		w.addText(part)
	case "reasoning":
		w.addThinking(id, part)
	case "tool":
		w.addTool(id, part)
	case "file":
		if block, ok := file(w.log, part); ok { // which later requests don't have
			block.Aside = block.Type == "image"
			w.step.blocks = append(w.step.blocks, block)
			return
		}
		w.note(id, part)
	default:
		w.note(id, part)
	}
}

func (w *message) addText(part gjson.Result) {
	text := jsonl.Member(part, "text").String()
	switch {
	case text != "" && w.marks.complete(w.info):
		w.summary = strings.TrimPrefix(w.summary+"\n"+text, "\n")
	case text != "":
		w.step.blocks = append(w.step.blocks, w.log.Text(text))
	}
}

// addThinking keeps thinking. Providers put a signature, or all of it in a form that only they can read, under their own name. A model is sent
// its own as thinking, and that of others as text.
func (w *message) addThinking(id string, part gjson.Result) {
	if w.marks.complete(w.info) {
		w.note(id, part) // a compaction has no place for it
		return
	}
	block := sources.Block{Type: "thinking", Text: jsonl.Member(part, "text").String(), AnyProvider: true}
	part.Get("metadata").ForEach(func(_, own gjson.Result) bool {
		if signature := own.Get("signature"); signature.Type == gjson.String {
			block.Signature = signature.Str
		} else if raw := glean.Raw(own); own.IsObject() && raw != nil {
			w.step.secret = append(w.step.secret, raw)
		}
		return true
	})
	if block.Text != "" || block.Signature != "" {
		w.step.blocks = append(w.step.blocks, block)
	}
}

// endStep writes a step: the answer, and behind it the results.
func (w *message) endStep(last bool) {
	s := w.step
	w.step = step{}
	m := sources.Message{
		Meta: w.meta(w.id), Role: record.RoleAssistant, Content: s.blocks, Model: w.model(), Provider: w.provider(), Usage: s.usage,
		StopReason: stopReason(s.reason),
	}
	if w.steps++; w.steps > 1 {
		m.Entry += fmt.Sprintf("#%d", w.steps)
	}
	if last {
		w.ending(&m)
	}
	if f := failure(w.info); f.name != "" && !f.stopped() { // then none of its steps is sent again
		m.StopReason, m.ErrorMessage = record.StopError, f.text
	}
	if len(s.secret) > 0 {
		m.More = map[string]jsonRaw{"reasoningMetadata": list(s.secret)}
	}
	if m.Usage != nil {
		w.size = int64(m.Usage.Input) + int64(m.Usage.CacheRead) + int64(m.Usage.CacheWrite) + int64(m.Usage.Output)
	}
	w.say(m)
	for _, r := range s.results {
		if r.cleared > 0 && w.kept != nil {
			r.Content = []sources.Block{{Type: "text", Text: glean.Cleared}}
		}
		seq := w.say(r.Message)
		if r.cleared > 0 {
			w.cleared = append(w.cleared, cleared{r.cleared, seq, r.tokens})
		}
	}
}

// ending adds what only the whole message tells to its last step.
func (w *message) ending(m *sources.Message) {
	if w.steps == 1 && m.Usage == nil {
		m.Usage = usage(w.info.Get("tokens"), w.info.Get("cost"))
		if m.Usage == nil {
			m.Usage = usage(w.info.Get("metadata.assistant.tokens"), w.info.Get("metadata.assistant.cost"))
		}
	}
	if reason := stopReason(w.info.Get("finish").Str); reason != "" {
		m.StopReason = reason
	}
	if f := failure(w.info); f.stopped() {
		m.StopReason, m.ErrorMessage = record.StopAborted, f.text
	}
}

func (w *message) endAssistant() {
	if w.marks.complete(w.info) {
		w.compaction(w)
		return
	}
	begun := w.step.closed || len(w.step.blocks) > 0
	if begun || w.steps == 0 && (failure(w.info).name != "" || ended(w.info)) {
		w.endStep(true)
	}
}

func stopReason(reason string) string {
	switch reason {
	case "stop", "length":
		return reason
	case "tool-calls", "tool_use":
		return "toolUse"
	}
	return "" // other, unknown, content-filter: nothing that later requests heed
}

func list(of []jsonRaw) jsonRaw {
	out := jsonRaw("[")
	for i, one := range of {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, one...)
	}
	return append(out, ']')
}
