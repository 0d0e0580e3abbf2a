package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"palimpsest/backend/agent/permission"
)

// WithAllowed is a settings file that allows one more rule. Every line stays as it is; some are added. It fails where the
// file is not what this can edit safely, and says what to do by hand then.
func WithAllowed(data []byte, rule string) ([]byte, error) {
	byHand := fmt.Errorf("%w; add the rule %s to %s in it by hand", ErrByHand, rule, keyAllow)
	if _, err := permission.Parse(rule, permission.Allow, permission.Config); err != nil {
		return nil, err
	}
	if !editable(data) || strings.Contains(rule, betweenRules) {
		return nil, byHand
	}
	before, _ := parse(FileName, data)
	had := rulesIn(before)
	if slices.Contains(had, rule) {
		return data, nil
	}
	edited, ok := withAllowed(data, rule)
	if !ok {
		return nil, byHand
	}
	after, _ := parse(FileName, edited)
	now := rulesIn(after)
	slices.Sort(now)
	want := append(slices.Clone(had), rule)
	slices.Sort(want)
	delete(before, keyAllow)
	delete(after, keyAllow)
	if !slices.Equal(now, want) || !maps.Equal(before, after) {
		return nil, byHand
	}
	return edited, nil
}

func rulesIn(values map[string]any) []string {
	text, _ := values[keyAllow].(string)
	return Rules(text).List()
}

// withAllowed finds where the rule belongs: before the first one, or in a list or section of its own.
func withAllowed(data []byte, rule string) ([]byte, bool) {
	quoted, err := quotedYAML(rule)
	var doc yaml.Node
	if err != nil || yaml.Unmarshal(data, &doc) != nil {
		return nil, false
	}
	item := "- " + quoted
	whole := []string{"permissions:", "  allow:", "    " + item}
	if len(doc.Content) == 0 || isNull(doc.Content[0]) {
		return appendLines(data, whole), true
	}
	root := doc.Content[0]
	if !isBlock(root, yaml.MappingNode) || dotted(root) {
		return nil, false
	}
	name, section := memberOf(root, "permissions")
	switch {
	case name == nil:
		return appendLines(data, whole), true
	case isEmpty(section):
		return insertAt(data, name.Line+1, whole[1:]), true
	case !isBlock(section, yaml.MappingNode) || section.Line <= name.Line:
		return nil, false
	}
	indent := strings.Repeat(" ", section.Content[0].Column-1)
	allow, list := memberOf(section, "allow")
	switch {
	case allow == nil:
		return insertAt(data, section.Content[0].Line, []string{indent + "allow:", indent + "  " + item}), true
	case isEmpty(list):
		return insertAt(data, allow.Line+1, []string{indent + "  " + item}), true
	case !isBlock(list, yaml.SequenceNode) || list.Line <= allow.Line:
		return nil, false
	}
	return insertAt(data, list.Line, []string{strings.Repeat(" ", list.Column-1) + item}), true
}

// quotedYAML is a text in quotes; a JSON string is one of YAML, too. What people read in it stays as it is.
func quotedYAML(text string) (string, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(text)
	return strings.TrimSpace(out.String()), err
}

// dotted tells whether the list is also written as one key, which would be the same one.
func dotted(root *yaml.Node) bool {
	name, _ := memberOf(root, keyAllow)
	return name != nil
}

// memberOf is a member of a mapping, if it is there once.
func memberOf(mapping *yaml.Node, key string) (name, value *yaml.Node) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if strings.EqualFold(mapping.Content[i].Value, key) {
			name, value = mapping.Content[i], mapping.Content[i+1]
		}
	}
	return name, value
}

// isBlock tells whether a node is written with a line for each of its members.
func isBlock(n *yaml.Node, kind yaml.Kind) bool {
	return n.Kind == kind && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0
}

// isEmpty tells whether nothing is written behind a key.
func isEmpty(n *yaml.Node) bool {
	return isNull(n) && n.Value == "" && n.Anchor == "" && n.Style&yaml.TaggedStyle == 0
}

func appendLines(data []byte, lines []string) []byte {
	for _, line := range lines {
		data = appendLine(data, line)
	}
	return data
}

// insertAt puts lines before one, counted from 1, or at the end.
func insertAt(data []byte, number int, lines []string) []byte {
	all := bytes.SplitAfter(data, []byte("\n"))
	if number > len(all) || number == len(all) && len(all[number-1]) == 0 {
		return appendLines(data, lines)
	}
	end := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		end = "\r\n"
	}
	var added [][]byte
	for _, line := range lines {
		added = append(added, []byte(line+end))
	}
	return bytes.Join(slices.Insert(all, number-1, added...), nil)
}
