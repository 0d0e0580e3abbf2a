package export

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// errNoBlob is what stands where something that was kept beside the log is missing.
var errNoBlob = errors.New("not kept")

func (p *Pi) whole(sha string) ([]byte, error) {
	if p.blob == nil || sha == "" {
		return nil, errNoBlob
	}
	return p.blob(sha)
}

// text is a text with its middle, if that was only cut out to keep the line short. What a model was shown in short stays so.
func (p *Pi) text(b *record.Block) string {
	if b.Whole == 0 {
		return b.Text
	}
	data, err := p.whole(b.Blob)
	if err != nil {
		return b.Text
	}
	return b.Uncut(string(data))
}

func (p *Pi) blocks(content []record.Block) []any {
	out := []any{}
	for i := range content {
		b := &content[i]
		if b.Aside {
			continue
		}
		switch b.Kind {
		case record.BlockText:
			out = append(out, object{"type": "text", "text": p.text(b)})
		case record.BlockThinking:
			thinking := object{"type": "thinking", "thinking": b.Text}
			if signature := gjson.Get(b.JSON, "signature").Str; signature != "" {
				thinking["thinkingSignature"] = signature
			}
			out = append(out, thinking)
		case record.BlockToolCall:
			p.tools.put(b.ID, b.Name)
			out = append(out, object{"type": "toolCall", "id": b.ID, "name": b.Name, "arguments": json.RawMessage(b.Arguments)})
		case record.BlockImage:
			mediaType := gjson.Get(b.JSON, "mediaType").Str
			data, err := p.whole(b.Blob)
			if err != nil {
				out = append(out, object{"type": "text", "text": "[an image that was not kept]"})
				continue
			}
			out = append(out, object{"type": "image", "data": data, "mimeType": mediaType})
		case record.BlockUnknown, record.BlockAsIs:
			out = append(out, json.RawMessage(b.JSON))
		}
	}
	return out
}

// anySent tells of a message that not all of it is aside, or nothing is.
func anySent(m *record.Message) bool {
	return !slices.ContainsFunc(m.Content, isAside) || m.Role == record.RoleToolResult || !overlay.LeftOut(m)
}

func isAside(b record.Block) bool { return b.Aside }

// aside are the blocks of a message that pi would send, and the model is not told: they stand on the entry, where pi looks for nothing.
func aside(content []record.Block) []any {
	var out []any
	for i := range content {
		if content[i].Aside {
			out = append(out, json.RawMessage(content[i].JSON))
		}
	}
	return out
}

func (p *Pi) message(rec *record.Record) {
	if p.put(wholePart, rec.Message) && rec.Message.Role == record.RoleToolResult {
		p.sizes.put(rec.Seq, overlay.Estimate(rec.Message.Content))
	}
}

// put writes a message as an entry. A result that answers no call is one of another kind, which is told.
func (p *Pi) put(which part, m *record.Message) (sent bool) {
	message := object{"role": m.Role, "content": p.blocks(sentByPi(m.Role, m.Content)), "timestamp": p.at.UnixMilli()}
	answers := p.calls.answers(m, p.leaf, &p.written)
	switch m.Role {
	case record.RoleUser:
	case record.RoleToolResult:
		message["toolCallId"], message["toolName"], message["isError"] = m.ToolCallID, p.tools.of(m.ToolCallID), m.IsError
	case record.RoleAssistant:
		model, provider := m.Model, m.Provider
		if model == "" {
			model, provider = p.model.Model, p.model.Provider
		}
		p.model.Model, p.model.Provider = strings.Clone(model), strings.Clone(provider) // not the record's: that may be long
		message["api"], message["model"], message["provider"], message["usage"] = "openai-completions", model, provider, usageOf(m.Usage)
		if message["stopReason"] = m.StopReason; m.StopReason == "" {
			message["stopReason"] = "stop"
		}
		if m.ErrorMessage != "" {
			message["errorMessage"] = m.ErrorMessage
		}
	}
	if !answers {
		p.entry(which, "custom", object{"customType": "palimpsest.result", "data": object{"message": message}})
		return false
	}
	entry := object{"message": message}
	beside(entry, m.Role, m.Content)
	p.entry(which, "message", entry)
	p.written.says(p.leaf, saidBy(m))
	p.calls.note(m, p.leaf)
	return true
}

// images tells that pi takes all that is no text for an image in messages of a role, and would send those without their data.
func images(role record.Role, b *record.Block) bool {
	return role == record.RoleUser && (b.Kind == record.BlockUnknown || b.Kind == record.BlockAsIs)
}

// sentByPi are the blocks that pi may send.
func sentByPi(role record.Role, content []record.Block) []record.Block {
	if !slices.ContainsFunc(content, func(b record.Block) bool { return images(role, &b) }) {
		return content
	}
	return slices.DeleteFunc(slices.Clone(content), func(b record.Block) bool { return images(role, &b) })
}

// beside puts the blocks on an entry that pi would send as what they are not, or the model is not told.
func beside(entry object, role record.Role, content []record.Block) {
	left := object{}
	if blocks := aside(content); blocks != nil {
		left["aside"] = blocks
	}
	var others []any
	for i := range content {
		if b := &content[i]; !b.Aside && images(role, b) {
			others = append(others, json.RawMessage(b.JSON))
		}
	}
	if others != nil {
		left["blocks"] = others
	}
	if len(left) > 0 {
		entry["palimpsest"] = left
	}
}

// usageOf is what an answer or a summary took. pi adds its numbers up without a look whether they are there, so 0 stands for those that nobody told,
// and untold names them; the reader of pi's files here takes them for what they are.
func usageOf(u *record.Usage) object {
	if u == nil {
		u = &record.Usage{Untold: record.AllTokens}
	}
	untold := u.Untold.Names()
	cost := 0.0
	if u.Cost != nil {
		cost = *u.Cost
	} else {
		untold = append(untold, "cost")
	}
	usage := object{
		"input": u.Input, "output": u.Output, "cacheRead": u.CacheRead, "cacheWrite": u.CacheWrite,
		"totalTokens": u.Input + u.Output + u.CacheRead + u.CacheWrite,
		"cost":        object{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": cost},
	}
	if len(untold) > 0 {
		usage["untold"] = untold
	}
	return usage
}
