package agent

import (
	"bytes"
	"encoding/json"
	"fmt"

	"palimpsest/backend/agent/tools"
	"palimpsest/backend/llm"
	"palimpsest/backend/record"
)

// block is a content block as it is written.
type block struct {
	Type      string          `json:"type"`
	Text      *string         `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	MediaType string          `json:"mediaType,omitempty"`
	Blob      string          `json:"blob,omitempty"`
	Bytes     int             `json:"bytes,omitempty"`
}

func textBlock(kind, text string) block { return block{Type: kind, Text: &text} }

// written is a message as it is written, without what the log gives it.
type written struct {
	RecordType   string        `json:"recordType"`
	Role         record.Role   `json:"role"`
	Content      []block       `json:"content"`
	ToolCallID   string        `json:"toolCallId,omitempty"`
	IsError      *bool         `json:"isError,omitempty"`
	Model        string        `json:"model,omitempty"`
	Provider     string        `json:"provider,omitempty"`
	Usage        *record.Usage `json:"usage,omitempty"`
	StopReason   string        `json:"stopReason,omitempty"`
	ErrorMessage string        `json:"errorMessage,omitempty"`
	// SentAs is what who sent it calls it: by that it is known whether it was taken.
	SentAs string `json:"sentAs,omitempty"`
	// Diff and Changes are what a tool did to files.
	Diff    string         `json:"diff,omitempty"`
	Changes []tools.Change `json:"changes,omitempty"`
}

func answerRecord(a llm.Answer, c Choice, stopReason, errorMessage string) ([]byte, error) {
	w := written{
		Role: record.RoleAssistant, Content: []block{}, Model: c.Model, Provider: c.Provider, Usage: a.Usage,
		StopReason: stopReason, ErrorMessage: errorMessage,
	}
	if a.Thinking != "" {
		w.Content = append(w.Content, textBlock("thinking", a.Thinking))
	}
	if a.Text != "" {
		w.Content = append(w.Content, textBlock("text", a.Text))
	}
	for _, call := range a.Calls {
		w.Content = append(w.Content, block{Type: "toolCall", ID: call.ID, Name: call.Name, Arguments: json.RawMessage(call.Arguments)})
	}
	return encode(w)
}

func resultRecord(call llm.Call, r Result) ([]byte, error) {
	text := textBlock("text", r.Text)
	text.Blob, text.Bytes = r.Blob, r.Bytes
	w := written{
		Role: record.RoleToolResult, ToolCallID: call.ID, IsError: &r.IsError,
		Content: []block{text}, Diff: r.Diff, Changes: r.Changes,
	}
	for _, image := range r.Images {
		w.Content = append(w.Content, imageBlock(Image{MediaType: image.MediaType, Blob: image.Blob, Bytes: image.Bytes}))
	}
	return encode(w)
}

// modelRecord is a switch of model.
func modelRecord(c Choice) ([]byte, error) {
	text, err := json.Marshal(struct {
		RecordType string `json:"recordType"`
		record.Model
	}{string(record.TypeModel), record.Model{Provider: c.Provider, Model: c.Model, ReasoningEffort: c.ReasoningEffort, Named: c.Named}})
	if err != nil {
		return nil, fmt.Errorf("encoding a switch of model: %w", err)
	}
	return text, nil
}

// encode leaves <, > and & as they are, as the specification's own writer does.
func encode(w written) ([]byte, error) {
	w.RecordType = string(record.TypeMessage)
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(w); err != nil {
		return nil, fmt.Errorf("encoding a message: %w", err)
	}
	return out.Bytes(), nil
}
