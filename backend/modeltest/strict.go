package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// request is one as a strict API reads it: once, for requests are long.
type request struct {
	Model    string          `json:"model"`
	Messages []strictMessage `json:"messages"`
	Tools    []tool          `json:"tools"`
}

type tool struct {
	Function struct {
		Name       string          `json:"name"`
		Parameters json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// strictMessage is a message of it.
type strictMessage struct {
	Role       string     `json:"role"`
	Content    any        `json:"content"`
	ToolCallID string     `json:"tool_call_id"`
	ToolCalls  []ToolCall `json:"tool_calls"`
}

// ToolCall is a call in a message.
type ToolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// Validate says what the strictest of chat APIs would refuse a request for: the system speaks first or not at all, the user
// speaks before the assistant, nobody speaks twice in a row, every tool message answers a call of the message before, every
// call is answered, ids are unique, nothing is empty, and there is something to answer.
func Validate(raw string) error {
	read, err := decoded([]byte(raw))
	if err != nil {
		return err
	}
	return read.validate()
}

func decoded(raw []byte) (read request, err error) {
	if err := json.Unmarshal(raw, &read); err != nil {
		return read, fmt.Errorf("the request is no JSON: %w", err)
	}
	return read, nil
}

func (r *request) validate() error {
	if r.Model == "" {
		return errors.New("no model is named")
	}
	names := map[string]bool{}
	for _, tool := range r.Tools {
		name := tool.Function.Name
		if name == "" || names[name] || len(tool.Function.Parameters) == 0 {
			return fmt.Errorf("the tool %q has no name, one that is taken, or no parameters", name)
		}
		names[name] = true
	}
	v := validator{ids: map[string]bool{}, open: map[string]bool{}}
	for i, m := range r.Messages {
		if err := v.next(i, m); err != nil {
			return fmt.Errorf("message %d (%s): %w", i, m.Role, err)
		}
	}
	if v.before != "user" && v.before != "tool" {
		return fmt.Errorf("it ends with %q: there is nothing to answer", v.before)
	}
	return v.answered()
}

// functionName is OpenAI's pattern.
var functionName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// validator remembers what the messages so far allow.
type validator struct {
	before string
	ids    map[string]bool
	open   map[string]bool // calls of the last assistant message that have no result yet
}

func (v *validator) next(i int, m strictMessage) error {
	empty, err := emptyContent(m.Content)
	if err != nil {
		return err
	}
	if m.Role != "tool" {
		if err := v.answered(); err != nil {
			return err
		}
	}
	switch m.Role {
	case "system":
		err = v.check(i == 0, "the system does not speak first", empty)
	case "user":
		err = v.check(v.before != "user", "the user speaks twice", empty)
	case "tool":
		err = v.check(v.open[m.ToolCallID], fmt.Sprintf("%q is no open call of the message before", m.ToolCallID), empty)
		delete(v.open, m.ToolCallID)
	case "assistant":
		err = v.check(v.before == "user" || v.before == "tool", "the assistant speaks first or twice", empty && len(m.ToolCalls) == 0)
		if err == nil {
			err = v.calls(m)
		}
	default:
		err = fmt.Errorf("%q is no role", m.Role)
	}
	v.before = m.Role
	return err
}

func (v *validator) check(allowed bool, why string, empty bool) error {
	switch {
	case !allowed:
		return errors.New(why)
	case empty:
		return errors.New("it is empty")
	}
	return nil
}

func (v *validator) calls(m strictMessage) error {
	for _, call := range m.ToolCalls {
		var arguments map[string]any
		switch {
		case call.ID == "" || v.ids[call.ID]:
			return fmt.Errorf("the id %q of a call is empty or taken", call.ID)
		case call.Type != "function" || !functionName.MatchString(call.Function.Name):
			return fmt.Errorf("the call %q names no function, but %q", call.ID, call.Function.Name)
		case json.Unmarshal([]byte(call.Function.Arguments), &arguments) != nil:
			return fmt.Errorf("the arguments of the call %q are no object: %.100s", call.ID, call.Function.Arguments)
		}
		v.ids[call.ID], v.open[call.ID] = true, true
	}
	return nil
}

func (v *validator) answered() error {
	for id := range v.open {
		return fmt.Errorf("the call %q has no result", id)
	}
	return nil
}

// emptyContent tells whether there is nothing in a message's content: text, or a list of parts none of which may be empty.
func emptyContent(content any) (bool, error) {
	if text, is := content.(string); is || content == nil {
		return strings.TrimSpace(text) == "", nil
	}
	parts, is := partsOf(content)
	if !is {
		return false, fmt.Errorf("its content is neither text nor parts: %v", content)
	}
	for _, part := range parts {
		text, _ := part["text"].(string)
		image, _ := part["image_url"].(map[string]any)
		if part["type"] == "text" && strings.TrimSpace(text) == "" || part["type"] == "image_url" && len(image) == 0 {
			return false, errors.New("a part of it is empty")
		}
	}
	return len(parts) == 0, nil
}

// partsOf are those of content that is in parts.
func partsOf(content any) (parts []map[string]any, is bool) {
	list, is := content.([]any)
	for _, one := range list {
		part, object := one.(map[string]any)
		parts, is = append(parts, part), is && object
	}
	return parts, is
}
