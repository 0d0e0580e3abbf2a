package codex

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// What another agent sends is no person's, but Codex takes a turn for begun by it, and it is in the context. It was written as an answer that is
// JSON, then as a line of its own, and last as an item, agent_message.

// sent takes a line of what another agent sent, as the item that Codex makes of it.
func (r *reader) sent(payload gjson.Result, m sources.Meta) {
	author, recipient := jsonl.Text(payload.Get("author")), jsonl.Text(payload.Get("recipient"))
	type part struct {
		Type      string `json:"type"`
		Text      string `json:"text,omitempty"`
		Encrypted string `json:"encrypted_content,omitempty"`
	}
	content := []part{{Type: "input_text", Text: jsonl.Text(payload.Get("content"))}}
	if secret := payload.Get("encrypted_content"); secret.Type == gjson.String {
		kind := "MESSAGE"
		if payload.Get("trigger_turn").Bool() {
			kind = "NEW_TASK"
		}
		content = []part{
			{Type: "input_text", Text: "Message Type: " + kind + "\nTask name: " + recipient + "\nSender: " + author + "\nPayload:\n"},
			{Type: "encrypted_content", Encrypted: secret.Str},
		}
	}
	item, _ := json.Marshal(map[string]any{"type": "agent_message", "author": author, "recipient": recipient, "content": content}) // texts can always be written
	r.item(gjson.ParseBytes(item), m)
}

// agentPiece is what another agent sent.
func (r *reader) agentPiece(item jsonl.Object) piece {
	p := piece{injected: true, namespace: "codex.agent_message", display: true}
	p.Role = record.RoleUser
	item.Get("content").ForEach(func(_, value gjson.Result) bool {
		p.Content = append(p.Content, r.blocks(value)...)
		return true
	})
	return p
}

// isSent tells of an answer that is what another agent sent.
func isSent(item jsonl.Object) bool {
	list := item.Get("content")
	if !strings.Contains(list.Raw, "trigger_turn") { // as few have it
		return false
	}
	content := list.Array()
	if len(content) != 1 {
		return false
	}
	text := jsonl.Text(content[0].Get("text"))
	if !strings.HasPrefix(strings.TrimSpace(text), "{") || !gjson.Valid(text) {
		return false
	}
	sent := gjson.Parse(text)
	return agentPath(sent.Get("author")) && agentPath(sent.Get("recipient")) && sent.Get("content").Type == gjson.String && sent.Get("trigger_turn").IsBool()
}

// agentPath tells of the name of an agent.
func agentPath(name gjson.Result) bool { return strings.HasPrefix(jsonl.Text(name), "/root") }
