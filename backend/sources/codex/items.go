package codex

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// piece is a part of an item that goes into a record of its own, or into the answer in hand.
type piece struct {
	sources.Message
	// injected pieces become notes; namespace says of what.
	injected  bool
	namespace string
	display   bool
	// text is what a person or Codex said in a user message.
	text string
}

// putIn tells of what Codex put in and puts in again where a compaction does not tell the context: a summary is not.
func (p *piece) putIn() bool {
	return p.injected && p.text != "" && !strings.HasPrefix(p.text, summaryBegins)
}

// pieces are what an item says to the model, given with its text; not ok for an item that says nothing, or nothing that can be told.
func (r *reader) pieces(item jsonl.Object, text gjson.Result) (_ []piece, ok bool) {
	kind := item.Get("type").Str
	switch kind {
	case "message":
		return r.spoken(item), item.Get("role").Str != "system" // which Codex keeps, and leaves out of requests
	case "reasoning":
		return []piece{r.answerPiece(r.thinking(item)...)}, true
	case "function_call", "custom_tool_call", "local_shell_call", "tool_search_call":
		return []piece{r.answerPiece(call(item, kind))}, true
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output", "mcp_tool_call_output":
		return []piece{r.result(item)}, true
	case "agent_message":
		return []piece{r.agentPiece(item)}, true
	case "web_search_call": // which has no result of its own: what was found is in the answer
		return []piece{r.answerPiece(sources.AsIs(jsonl.Unknown(text)))}, true
	case "image_generation_call":
		if image, ok := r.log.Base64("image/png", jsonl.Text(item.Get("result"))); ok {
			content := []sources.Block{image}
			if asked := jsonl.Text(item.Get("revised_prompt")); asked != "" {
				content = []sources.Block{r.log.Text(asked), image}
			}
			return []piece{{
				Message:  sources.Message{Role: record.RoleUser, Content: content},
				injected: true, namespace: "codex.image_generation_call", display: true,
			}}, true
		}
	}
	return nil, false
}

func (r *reader) answerPiece(blocks ...sources.Block) piece {
	return piece{Message: sources.Message{Role: record.RoleAssistant, Content: blocks, Model: r.model.Model, Provider: r.model.Provider}}
}

// thinking is the part of it that can be read.
func (r *reader) thinking(item jsonl.Object) []sources.Block {
	var parts []string
	for _, list := range []string{"summary", "content"} {
		item.Get(list).ForEach(func(_, part gjson.Result) bool {
			if text := jsonl.Text(part.Get("text")); text != "" {
				parts = append(parts, text)
			}
			return true
		})
	}
	if len(parts) == 0 {
		return nil
	}
	return []sources.Block{{Type: "thinking", Text: strings.Join(parts, "\n\n")}}
}

func call(item jsonl.Object, kind string) sources.Block {
	b := sources.Block{Type: "toolCall", ID: jsonl.Text(item.Get("call_id")), Name: jsonl.Text(item.Get("name"))}
	if b.ID == "" {
		b.ID = jsonl.Text(item.Get("id"))
	}
	if b.Name == "" {
		b.Name = strings.TrimSuffix(kind, "_call")
	}
	if space := jsonl.Text(item.Get("namespace")); space != "" {
		b.Name = space + "." + b.Name
	}
	for _, member := range []string{"arguments", "input", "action"} {
		if value := item.Get(member); value.Exists() {
			b.Arguments = json.RawMessage(value.Raw)
			break
		}
	}
	return b
}

// spoken splits a message into what was typed and what Codex put in; one message may mix both.
func (r *reader) spoken(item jsonl.Object) []piece {
	role, kinds := jsonl.Text(item.Get("role")), labels(item)
	var out []piece
	add := func(block sources.Block, text, label string) {
		p := piece{Message: sources.Message{Role: record.RoleUser}}
		switch {
		case role == "assistant":
			p.Role, p.Model, p.Provider = record.RoleAssistant, r.model.Model, r.model.Provider
		case role != "user":
			p.injected, p.namespace = true, "codex."+role
		case injected(text, label):
			p.injected, p.namespace = true, "codex.injected"
			p.display = strings.HasPrefix(strings.TrimSpace(text), "<user_shell_command>")
		}
		if last := len(out) - 1; last >= 0 && out[last].injected == p.injected && out[last].display == p.display {
			out[last].Content = append(out[last].Content, block)
			out[last].text += "\n" + text
			return
		}
		p.Content, p.text = []sources.Block{block}, text
		out = append(out, p)
	}
	content := item.Get("content")
	if content.Type == gjson.String {
		add(r.log.Text(content.Str), content.Str, "")
	}
	place := 0
	jsonl.Listed(content, func(value gjson.Result) bool {
		label := ""
		if place < len(kinds) {
			label = kinds[place].Str
		}
		place++
		if value.IsObject() {
			text := ""
			if role != "assistant" { // of an answer nobody asks
				text = jsonl.Text(jsonl.Member(value, "text"))
			}
			for _, block := range r.blocks(value) {
				add(block, text, label)
			}
		}
		return true
	})
	return out
}
