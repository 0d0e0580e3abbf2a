package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// WithModel is a settings file with another base_url and model. Every other line stays as it is, comments too. It fails
// where the file is not what this can edit safely, and says what to do by hand then.
func WithModel(data []byte, baseURL, model string) ([]byte, error) {
	if !editable(data) {
		return nil, errByHand
	}
	for _, s := range []struct{ key, value string }{{"base_url", baseURL}, {"model", model}} {
		setting, _ := settingOf(s.key)
		if message, _ := setting.complaint(s.key, s.value); message != "" || s.value == "" {
			return nil, fmt.Errorf("%s must be %s", s.key, orSomething(setting.check(s.value)))
		}
		edited, err := withValue(data, s.key, s.value)
		if err != nil {
			return nil, err
		}
		data = edited
	}
	values, problems := parse(FileName, data)
	if len(values) == 0 || values["base_url"] != baseURL || values["model"] != model {
		for _, p := range problems {
			return nil, fmt.Errorf("%w (%s)", errByHand, p.Message)
		}
		return nil, errByHand
	}
	return data, nil
}

// otherLineEnds end a line for YAML and not for an editor, so that its lines can't be found by their numbers.
var otherLineEnds = regexp.MustCompile(`\r(?:[^\n]|$)|[\x{85}\x{2028}\x{2029}]`)

// ErrByHand is returned where only a person can tell how to change the file.
var ErrByHand = errors.New("config.yaml is not written in a way that can be edited safely")

var errByHand = fmt.Errorf("%w; set base_url and model in it by hand", ErrByHand)

// editable tells whether the lines of the file can be found by their numbers.
func editable(data []byte) bool { return !otherLineEnds.Match(data) && utf8.Valid(data) }

func orSomething(want string) string {
	if want == "" {
		return "something"
	}
	return want
}

// withValue replaces the line of a key at the top level, or adds one at the end.
func withValue(data []byte, key, value string) ([]byte, error) {
	quoted, err := json.Marshal(value) // a JSON string is one of YAML, too
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", key, err)
	}
	line := key + ": " + string(quoted)
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, errByHand
	}
	if len(doc.Content) == 0 || isNull(doc.Content[0]) {
		return appendLine(data, line), nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 {
		return nil, errByHand
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, old := root.Content[i], root.Content[i+1]
		if !strings.EqualFold(name.Value, key) {
			continue
		}
		if old.Kind != yaml.ScalarNode || !isNull(old) && old.Line != name.Line || strings.Contains(old.Value, "\n") ||
			old.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			return nil, errByHand
		}
		if comment := cmp.Or(old.LineComment, name.LineComment); comment != "" {
			line += " " + comment
		}
		return replaceLine(data, name.Line, line), nil
	}
	return appendLine(data, line), nil
}

func appendLine(data []byte, line string) []byte {
	end := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		end = "\r\n"
	}
	out := bytes.Clone(data)
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, end...)
	}
	return append(out, line+end...)
}

// replaceLine replaces a line, counted from 1, and keeps how it ends.
func replaceLine(data []byte, number int, line string) []byte {
	lines := bytes.SplitAfter(data, []byte("\n"))
	old := lines[number-1]
	lines[number-1] = append([]byte(line), old[len(bytes.TrimRight(old, "\r\n")):]...)
	return bytes.Join(lines, nil)
}
