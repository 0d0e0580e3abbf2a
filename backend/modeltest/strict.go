package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// strictMessage is a message of a request as a strict API reads it.
type strictMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// Validate says what the strictest of chat APIs would refuse a request for: the system speaks first or not at all, the user
// speaks before the assistant, nobody speaks twice in a row, every tool message answers a call of the message before, every
// call is answered, ids are unique, nothing is empty, and there is something to answer.
func Validate(raw string) error {
	var request struct {
		Model    string          `json:"model"`
		Messages []strictMessage `json:"messages"`
		Tools    []struct {
			Function struct {
				Name       string          `json:"name"`
				Parameters json.RawMessage `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
	}
	if err := json.Unmarshal([]byte(raw), &request); err != nil {
		return fmt.Errorf("the request is no JSON: %w", err)
	}
	if request.Model == "" {
		return errors.New("no model is named")
	}
	names := map[string]bool{}
	for _, tool := range request.Tools {
		name := tool.Function.Name
		if name == "" || names[name] || len(tool.Function.Parameters) == 0 {
			return fmt.Errorf("the tool %q has no name, one that is taken, or no parameters", name)
		}
		names[name] = true
	}
	v := validator{ids: map[string]bool{}, open: map[string]bool{}}
	for i, m := range request.Messages {
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
func emptyContent(content json.RawMessage) (bool, error) {
	if len(content) == 0 || string(content) == "null" {
		return true, nil
	}
	var text string
	if json.Unmarshal(content, &text) == nil {
		return strings.TrimSpace(text) == "", nil
	}
	var parts []struct {
		Type  string         `json:"type"`
		Text  string         `json:"text"`
		Image map[string]any `json:"image_url"`
	}
	if err := json.Unmarshal(content, &parts); err != nil {
		return false, fmt.Errorf("its content is neither text nor parts: %w", err)
	}
	for _, part := range parts {
		if part.Type == "text" && strings.TrimSpace(part.Text) == "" || part.Type == "image_url" && len(part.Image) == 0 {
			return false, errors.New("a part of it is empty")
		}
	}
	return len(parts) == 0, nil
}
