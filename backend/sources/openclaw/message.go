package openclaw

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// message writes what a person, the model or a tool said as a message, and all else as a note.
func (r *reader) message(at int, rec gjson.Result, m sources.Meta) {
	message := rec.Get("message")
	spoken, ok := r.heard(at, message)
	spoken.Aside = aside(message) || r.ahead.quiet[at]
	if ok && spoken.Role == record.RoleUser && notTyped(message) {
		r.log.Note(sources.Note{Meta: m, Namespace: r.agent + ".injected", Content: spoken.Content, Aside: spoken.Aside})
		return
	}
	if ok {
		spoken.Meta = m
		if mirrored(message) { // no model of that name has answered
			spoken.Model, spoken.Provider = "", ""
		}
		spoken.More = jsonl.Rest(message, "role", "content", "toolCallId", "isError", "model", "provider", "usage", "stopReason", "errorMessage", "timestamp", "details", "excludeFromContext")
		r.log.Message(spoken)
		if instead := notSent(message); instead != "" && !r.ahead.quiet[at] {
			m.Entry += "/replayed"
			r.log.Note(sources.Note{Meta: m, Namespace: r.agent + ".replayed", Role: record.RoleAssistant, Content: replayed(instead).Content})
		}
		return
	}
	role := jsonl.Text(message.Get("role"))
	r.log.Note(sources.Note{
		Meta: m, Namespace: r.agent + ".message." + role, Content: r.put(message), Data: json.RawMessage(rec.Raw),
		Display: role == "bashExecution" || message.Get("display").Bool(), Aside: spoken.Aside,
	})
}

// aside tells of what a person alone was shown, or is by now: no request has any of an answer that was stopped, or that says that nothing is
// to be said.
func aside(message gjson.Result) bool {
	return message.Get("excludeFromContext").Bool() || mirrored(message) || wasStopped(message) || isSilent(message)
}

func wasStopped(message gjson.Result) bool {
	return message.Get("role").Str == "assistant" && message.Get("stopReason").Str == record.StopAborted
}

// mirrored tells of what the gateway has shown to a person as if the model had said it: no model is told of that.
func mirrored(message gjson.Result) bool {
	model := message.Get("model").Str
	return message.Get("provider").Str == "openclaw" && (model == "delivery-mirror" || model == "gateway-injected") ||
		message.Get("role").Str == "assistant" && slices.Contains(mirrors, message.Get("openclawDeliveryMirror.kind").Str)
}

// mirrors are the kinds of them, where a row has lost the name of its model.
var mirrors = []string{"channel-final", "channel-final-suppressed", "message-tool-source-reply", "cron-direct-delivery-context"}

// heard is what was spoken at an entry, as the model is told it now.
func (r *reader) heard(at int, message gjson.Result) (sources.Message, bool) {
	m, ok := r.spoken(message)
	if m.Role == record.RoleAssistant && r.agent == "openclaw" {
		r.ahead.forget(at, message, m.Content)
	}
	return m, ok
}

// spoken is what a person, the model or a tool said; false for other roles.
func (r *reader) spoken(message gjson.Result) (sources.Message, bool) {
	m := sources.Message{Content: r.without(message, r.blocks(message.Get("content")))}
	switch message.Get("role").Str {
	case "user":
		m.Role = record.RoleUser
		whose := message.Get("provenance.kind").Str
		m.ByAgent, m.Typed = whose == "inter_session", whose == "external_user"
	case "toolResult":
		m.Role, m.ToolCallID = record.RoleToolResult, jsonl.Text(message.Get("toolCallId"))
		code := message.Get("details.exitCode")
		m.IsError = message.Get("isError").Bool() || code.Type == gjson.Number && code.Num != 0
		m.Started = started(message)
	case "assistant":
		m.Role, m.Model, m.Provider = record.RoleAssistant, jsonl.Text(message.Get("model")), jsonl.Text(message.Get("provider"))
		m.StopReason, m.ErrorMessage = jsonl.Text(message.Get("stopReason")), jsonl.Text(message.Get("errorMessage"))
		m.Usage = usage(message.Get("usage"))
	default:
		return m, false
	}
	return m, true
}

// started is the key of the conversation that a call has started, as its result tells.
func started(result gjson.Result) string {
	if key := jsonl.Text(result.Get("details.childSessionKey")); key != "" {
		return key
	}
	const most = 64 << 10
	if text := plain(result.Get("content")); len(text) < most && strings.Contains(text, `"childSessionKey"`) {
		return jsonl.Text(gjson.Get(text, "childSessionKey"))
	}
	return ""
}

// put is what a message of another role says to the model, or to a person alone.
func (r *reader) put(message gjson.Result) []sources.Block {
	switch message.Get("role").Str {
	case "bashExecution":
		return []sources.Block{r.log.Text(glean.Ran(message))}
	case "custom", "hookMessage", "system":
		return r.blocks(message.Get("content"))
	case "branchSummary":
		return r.framed(glean.CameBack, message)
	case "compactionSummary":
		return r.framed(glean.Compacted, message)
	}
	return nil
}

// framed is the summary of a message, in the words that the model gets with it.
func (r *reader) framed(by *record.Frame, message gjson.Result) []sources.Block {
	summary := jsonl.Text(message.Get("summary"))
	if summary == "" {
		return nil
	}
	return []sources.Block{r.log.Text(by.Say(summary))}
}

// blocks are those of a content, which may be a plain text.
func (r *reader) blocks(content gjson.Result) []sources.Block {
	if content.Type == gjson.String {
		return []sources.Block{r.log.Text(content.Str)}
	}
	var out []sources.Block
	for _, item := range jsonl.Told(r.log, "content", content) {
		block := glean.Block(r.log, item)
		out = append(out, block)
		if block.Raw != nil && item.Get("type").Str == "image" && r.agent == "openclaw" { // one that stands elsewhere, in whose place this is said
			out = append(out, sources.Block{Type: "text", Text: noImage})
		}
	}
	return out
}

// noImage is what OpenClaw says in the place of an image that is not in its transcript.
const noImage = "[session:history] omitted image payload: missing data or mimeType"

var counters = sources.Counters{
	Input: []string{"input"}, Output: []string{"output"}, CacheRead: []string{"cacheRead"}, CacheWrite: []string{"cacheWrite"},
}

// usage is nil where none was reported.
func usage(value gjson.Result) *record.Usage {
	n := func(name string) int {
		v := value.Get(name)
		if v.Type != gjson.Number || !(v.Num > 0 && v.Num < record.MaxSeq) {
			return 0
		}
		return int(v.Num)
	}
	u := record.Usage{Input: n("input"), Output: n("output"), CacheRead: n("cacheRead"), CacheWrite: n("cacheWrite")}
	if u.IsZero() {
		return nil
	}
	u.Untold = counters.Untold(value)
	if cost := value.Get("cost.total"); cost.Type == gjson.Number && cost.Num > 0 {
		u.Cost = &cost.Num
	}
	return &u
}
