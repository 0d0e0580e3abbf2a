package crabtalk

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// message reads one in either form. Results of Anthropic's form stand in a user's message.
func (r *reader) message(rec gjson.Result, entry string) {
	m := unwrap(rec)
	at := sources.Meta{Time: jsonl.Time(m.Get("timestamp")), Entry: entry}
	if agent := glean.Raw(rec.Get("agent")); agent != nil && m.Raw != rec.Raw {
		at.More = jsonl.Rest(rec, "message")
	}
	said, results := r.blocks(m, guest(rec, m))
	switch role := jsonl.Text(m.Get("role")); role {
	case "user":
		r.results(at, results)
		if m.Get("auto_injected").Bool() || rec.Get("auto_injected").Bool() {
			r.log.Note(sources.Note{Meta: at, Namespace: "crabtalk.injected", Content: said})
		} else if len(said) > 0 || len(results) == 0 {
			r.log.Message(sources.Message{Meta: at, Role: record.RoleUser, Content: said})
		}
	case "assistant":
		a := sources.Message{Meta: at, Role: record.RoleAssistant, Content: said, Model: jsonl.Text(m.Get("model"))}
		for _, block := range said {
			if block.Type == "toolCall" {
				a.StopReason = "toolUse"
			}
		}
		r.answer = &a
	case "tool":
		r.log.Message(sources.Message{
			Meta: at, Role: record.RoleToolResult, ToolCallID: jsonl.Text(m.Get("tool_call_id")), Content: said,
			IsError: m.Get("is_error").Bool() || failed(plain(m.Get("content"))),
		})
	case "system", "developer":
		r.log.Note(sources.Note{Meta: at, Namespace: "crabtalk." + role, Content: said})
	default:
		r.log.Note(sources.Note{Meta: at, Namespace: "crabtalk.message", Data: glean.Raw(rec), Display: true})
	}
}

func (r *reader) results(at sources.Meta, results []gjson.Result) {
	for _, result := range results {
		one := sources.Message{Meta: at, Role: record.RoleToolResult, ToolCallID: jsonl.Text(result.Get("tool_use_id")), IsError: result.Get("is_error").Bool()}
		one.Entry += "/" + one.ToolCallID
		one.IsError = one.IsError || !result.Get("is_error").Exists() && failed(plain(result.Get("content")))
		if content := result.Get("content"); content.Type == gjson.String {
			one.Content = []sources.Block{r.log.Text(content.Str)}
		} else {
			for _, block := range jsonl.Told(r.log, "content", content) {
				one.Content = append(one.Content, r.block(block, ""))
			}
		}
		r.log.Message(one)
	}
}

// guest is the agent that gave an answer, if that is another one than the session's own, which has no name there.
func guest(rec, m gjson.Result) string {
	if m.Raw == rec.Raw || m.Get("role").Str != "assistant" {
		return ""
	}
	return jsonl.Text(rec.Get("agent"))
}

// spoken is a text as the model gets it: CrabTalk says there which guest it is of.
func spoken(guest, text string) string {
	if guest == "" {
		return text
	}
	return "<from agent=\"" + guest + "\">\n" + text + "\n</from>"
}

// blocks are what a message says, and the results in it.
func (r *reader) blocks(m gjson.Result, guest string) (said []sources.Block, results []gjson.Result) {
	for _, name := range []string{"reasoning_content", "thinking"} {
		if text := jsonl.Text(m.Get(name)); text != "" {
			said = append(said, sources.Block{Type: "thinking", Text: text})
		}
	}
	switch content := m.Get("content"); {
	case content.Type == gjson.String && content.Str != "":
		said = append(said, r.log.Text(spoken(guest, content.Str)))
	case content.IsArray():
		for _, block := range jsonl.Told(r.log, "content", content) {
			if block.Get("type").Str == "tool_result" {
				results = append(results, block)
			} else {
				said = append(said, r.block(block, guest))
			}
		}
	}
	for _, call := range jsonl.Told(r.log, "tool_calls", m.Get("tool_calls")) {
		said = append(said, sources.Block{
			Type: "toolCall", ID: jsonl.Text(call.Get("id")), Name: jsonl.Text(call.Get("function.name")), Arguments: glean.Raw(call.Get("function.arguments")),
		})
	}
	return said, results
}

func (r *reader) block(block gjson.Result, guest string) sources.Block {
	switch block.Get("type").Str {
	case "text":
		return r.log.Text(spoken(guest, jsonl.Text(block.Get("text"))))
	case "thinking":
		return sources.Block{Type: "thinking", Text: jsonl.Text(block.Get("thinking")), Signature: jsonl.Text(block.Get("signature"))}
	case "tool_use":
		return sources.Block{Type: "toolCall", ID: jsonl.Text(block.Get("id")), Name: jsonl.Text(block.Get("name")), Arguments: glean.Raw(block.Get("input"))}
	case "image":
		if image, ok := r.log.Base64(jsonl.Text(block.Get("source.media_type")), jsonl.Text(block.Get("source.data"))); ok {
			return image
		}
		return sources.AsIs(jsonl.Unknown(block)) // one that stands elsewhere; of other types CrabTalk has none, and reads no message with one
	}
	return jsonl.Unknown(block)
}
