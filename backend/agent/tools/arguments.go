package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"palimpsest/backend/llm"
)

// targeted are arguments that say what a call touches: a path, or a command.
type targeted interface {
	target() (path, command string)
}

// define makes a tool. legacy are the names that other agents give to its arguments, which conversations that were imported
// have taught the model.
func define[A targeted](name, description string, readOnly bool, parameters json.RawMessage, legacy map[string]string,
	run func(*job, A) (Result, error),
) tool {
	read := func(arguments string) (A, error) {
		a, err := decode[A](arguments, legacy)
		if err != nil {
			return a, fmt.Errorf("the arguments of %s: %w", name, err)
		}
		if path, command := a.target(); path == "" && command == "" {
			return a, fmt.Errorf("the arguments of %s: %s is missing", name, map[bool]string{true: "command", false: "path"}[name == "bash"])
		}
		return a, nil
	}
	return tool{
		about:    llm.Tool{Name: name, Description: strings.TrimSpace(description), Parameters: parameters},
		readOnly: readOnly,
		target: func(arguments string) (string, string, error) {
			a, err := read(arguments)
			if err != nil {
				return "", "", err
			}
			path, command := a.target()
			return path, command, nil
		},
		run: func(j *job, arguments string) (Result, error) {
			a, err := read(arguments)
			if err != nil {
				return Result{}, err
			}
			return run(j, a)
		},
	}
}

// decode reads arguments. Those that no tool knows are passed over: models add some, and mean no harm.
func decode[A any](arguments string, legacy map[string]string) (a A, err error) {
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}"
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(arguments), &members); err != nil {
		return a, errors.New("they are no JSON object")
	}
	if _, raw := members["_raw"]; raw {
		return a, errors.New("they are no JSON object")
	}
	for old, now := range legacy {
		if _, set := members[now]; set {
			continue
		}
		if value, ok := members[old]; ok {
			members[now] = value
			delete(members, old)
		}
	}
	text, err := json.Marshal(members)
	if err != nil {
		return a, fmt.Errorf("encoding them: %w", err)
	}
	if err := json.Unmarshal(text, &a); err != nil {
		var mistyped *json.UnmarshalTypeError
		if errors.As(err, &mistyped) && mistyped.Field != "" {
			return a, fmt.Errorf("%s must be a %s, and is a %s", mistyped.Field, mistyped.Type, mistyped.Value)
		}
		return a, err //nolint:wrapcheck // the caller says which arguments
	}
	return a, nil
}

// count is a number that may be written as a text, as some models do.
type count int

// UnmarshalJSON reads 10, 10.0, "10" and null.
func (c *count) UnmarshalJSON(data []byte) error {
	text := strings.Trim(string(data), `"`)
	if text == "null" || text == "" {
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f < 0 || f > math.MaxInt32 || f != math.Trunc(f) {
		return fmt.Errorf("%s is no whole number from 0", data)
	}
	*c = count(f)
	return nil
}

// or is the number, or another if it is 0, and never more than most.
func (c count) or(other, most int) int {
	if c == 0 {
		return other
	}
	return min(int(c), most)
}

// parameter is one argument in a schema.
type parameter struct {
	name, kind, about string
	required          bool
	items             json.RawMessage
}

// schema is the JSON schema of an object with these members.
func schema(parameters ...parameter) json.RawMessage {
	type member struct {
		Type        string          `json:"type"`
		Description string          `json:"description,omitempty"`
		Items       json.RawMessage `json:"items,omitempty"`
	}
	object := struct {
		Type       string            `json:"type"`
		Properties map[string]member `json:"properties"`
		Required   []string          `json:"required"`
	}{Type: "object", Properties: map[string]member{}, Required: []string{}}
	for _, p := range parameters {
		object.Properties[p.name] = member{Type: p.kind, Description: p.about, Items: p.items}
		if p.required {
			object.Required = append(object.Required, p.name)
		}
	}
	text, err := json.Marshal(object)
	if err != nil {
		panic("tools: a schema that can't be written: " + err.Error())
	}
	return text
}
