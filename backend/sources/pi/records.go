package pi

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

func raw(rec *jsonl.Fields) json.RawMessage { return json.RawMessage(rec.Raw) }

func meta(rec jsonl.Object, id string) sources.Meta {
	return sources.Meta{Time: timeOf(rec), Entry: id}
}

// emit writes the records of an entry.
func (r *reader) emit(at int, rec *jsonl.Fields) {
	e := r.entries.at(at)
	m := meta(rec, r.at)
	switch e.kind {
	case "message":
		r.message(e, rec, m)
		return
	case "custom_message":
		n := sources.Note{Meta: m, Namespace: "pi.custom_message", Data: raw(rec), Display: rec.Get("display").Bool()}
		n.Content = r.blocks(rec.Get("content"))
		r.log.Note(n)
		return
	case "model_change", "thinking_level_change":
		r.model(e.inForce(), m)
		return
	case "branch_summary":
		if jsonl.Text(rec.Get("summary")) != "" {
			return // the branch says it
		}
	case "compaction":
		r.compaction(at, rec, m)
		return
	case "context_edit":
		if r.lanes == nil && r.edit(at, rec, m) { // format 4 has none
			return
		}
	case "label":
		if target, ok := r.entries.find(jsonl.Text(rec.Get("targetId"))); ok && r.entries.at(target).last > 0 {
			r.log.Label(sources.Label{Meta: m, Target: r.entries.at(target).last, Label: jsonl.Text(rec.Get("label"))})
			return
		}
	}
	r.log.Note(sources.Note{Meta: m, Namespace: "pi." + e.kind, Data: raw(rec)})
}

func (r *reader) model(model record.Model, m sources.Meta) {
	r.log.Model(sources.Model{Meta: m, Model: model})
}

// anew goes on from nothing, with the model in force.
func (r *reader) anew(model record.Model, m sources.Meta) {
	r.log.Branch(sources.Branch{Meta: m})
	if model != (record.Model{}) {
		r.model(model, sources.Meta{Time: m.Time, Entry: m.Entry + "/model"})
	}
}

// message writes a message, and the model that wrote it if that is a new one.
func (r *reader) message(e entry, rec *jsonl.Fields, m sources.Meta) {
	before := r.before(e)
	if e.model != before.model || e.provider != before.provider {
		r.model(e.inForce(), sources.Meta{Time: m.Time, Entry: r.at + "/model"})
	}
	message := r.said.Read(rec.Get("message"))
	if spoken, ok := r.spoken(message); ok {
		spoken.Meta = m
		spoken.More = jsonl.Rest(message.Result, "role", "content", "toolCallId", "isError", "model", "provider", "usage", "stopReason",
			"errorMessage", "timestamp")
		r.log.Message(spoken)
		return
	}
	r.log.Note(sources.Note{
		Meta: m, Namespace: "pi." + e.role, Content: r.injected(message), Data: raw(rec),
		Display: e.role == "bashExecution" || message.Get("display").Bool(),
		Aside:   aside(message),
	})
}

// spoken is what a person, the model or a tool said; false for what pi itself put in.
func (r *reader) spoken(message jsonl.Object) (sources.Message, bool) {
	m := sources.Message{Content: r.blocks(message.Get("content"))}
	switch role := message.Get("role").Str; role {
	case "user":
		m.Role = record.RoleUser
	case "toolResult":
		m.Role, m.ToolCallID = record.RoleToolResult, jsonl.Text(message.Get("toolCallId"))
		m.IsError = message.Get("isError").Bool() || message.Get("details.exitCode").Int() != 0
		m.Usage = usage(r.usage.Read(message.Get("usage"))) // of what the tool asked a model for
	case "assistant":
		m.Role, m.Model, m.Provider = record.RoleAssistant, jsonl.Text(message.Get("model")), jsonl.Text(message.Get("provider"))
		m.StopReason, m.ErrorMessage = jsonl.Text(message.Get("stopReason")), jsonl.Text(message.Get("errorMessage"))
		m.Usage = usage(r.usage.Read(message.Get("usage")))
		m.Aside = m.StopReason == record.StopAborted // pi never sends one again, whatever is in it
	default:
		return m, false
	}
	return m, true
}

// hookMessage is what custom was called before version 3, and says nothing to the model in later files: a fork of an earlier one may have it.
const hookMessage = "hookMessage"

func (r *reader) hooks() bool { return r.version < newest }

// aside tells of a command that a person ran without the model.
func aside(message jsonl.Object) bool {
	return message.Get("role").Str == "bashExecution" && message.Get("excludeFromContext").Bool()
}

// injected is what a message of another role says to the model; a command may be run for a person alone.
func (r *reader) injected(message jsonl.Object) []sources.Block {
	switch message.Get("role").Str {
	case "bashExecution":
		return []sources.Block{r.log.Text(glean.Ran(message))}
	case "custom":
		return r.blocks(message.Get("content"))
	case hookMessage:
		if r.hooks() {
			return r.blocks(message.Get("content"))
		}
	case "system":
		if text := systemText(message); text != "" {
			return []sources.Block{r.log.Text(text)}
		}
	}
	return nil
}

// systemText is a system message's text with its sections, in their order.
func systemText(message jsonl.Object) string {
	var parts []string
	if text := plain(message.Get("content")); text != "" {
		parts = append(parts, text)
	}
	if sections := message.Get("sections"); sections.IsObject() {
		sections.ForEach(func(_, text gjson.Result) bool {
			if text := jsonl.Text(text); text != "" {
				parts = append(parts, text)
			}
			return true
		})
	}
	return strings.Join(parts, "\n\n")
}

var counters = sources.Counters{
	Input: []string{"input"}, Output: []string{"output"}, CacheRead: []string{"cacheRead"}, CacheWrite: []string{"cacheWrite"},
}

// usage is nil where none was reported.
func usage(value jsonl.Object) *record.Usage {
	u := record.Usage{
		Input: int(value.Get("input").Int()), Output: int(value.Get("output").Int()),
		CacheRead: int(value.Get("cacheRead").Int()), CacheWrite: int(value.Get("cacheWrite").Int()),
	}
	if u.IsZero() {
		return nil
	}
	u.Untold = counters.Untold(value)
	for _, name := range value.Get("untold").Array() { // what was exported here, where pi has a number for all
		u.Untold |= record.KindNamed(name.Str)
	}
	if cost := value.Get("cost.total"); cost.Type == gjson.Number && cost.Num > 0 {
		u.Cost = &cost.Num
	}
	return &u
}
