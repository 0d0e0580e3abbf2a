package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"palimpsest/backend/agent/permission"
)

// maxProblems bounds what is said about one file.
const maxProblems = 20

// parse takes the right values out of a settings file, by dotted key in lower case, and says
// what is wrong with the rest. It works on the YAML tree instead of letting viper read the
// file, because only the tree knows lines.
func parse(path string, data []byte) (map[string]any, []Problem) {
	p := &parser{path: path, values: map[string]any{}, seen: map[string]bool{}}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc, next yaml.Node
	if err := decoder.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, []Problem{syntaxProblem(path, data, err)}
	}
	if err := decoder.Decode(&next); err == nil {
		p.report(&next, "", "only the first YAML document of the file is used", "remove the line --- and join the two")
	} else if !errors.Is(err, io.EOF) {
		return nil, []Problem{syntaxProblem(path, data, err)}
	}
	if len(doc.Content) == 0 || isNull(doc.Content[0]) {
		return nil, p.problems // empty, or comments only
	}
	if root := doc.Content[0]; root.Kind == yaml.MappingNode {
		p.mapping("", root)
	} else {
		p.report(root, "", "the settings must be lines of the form key: value, not "+kindOf(root), "they count as empty")
	}
	if more := len(p.problems) - maxProblems; more > 0 {
		p.problems = append(p.problems[:maxProblems], Problem{Path: path, Message: fmt.Sprintf("there are %d more problems", more)})
	}
	return p.values, p.problems
}

type parser struct {
	path     string
	values   map[string]any
	seen     map[string]bool
	problems []Problem
}

func (p *parser) report(at *yaml.Node, key, message, hint string) {
	p.problems = append(p.problems, Problem{Path: p.path, Line: at.Line, Key: key, Message: message, Hint: hint})
}

// mapping goes through the file's top level (no prefix) or one section of it.
func (p *parser) mapping(prefix string, node *yaml.Node) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := resolve(node.Content[i]), resolve(node.Content[i+1])
		if name.Kind != yaml.ScalarNode {
			p.report(node.Content[i], "", "a key must be a word, not "+kindOf(name), "")
			p.secretsIn(value)
			continue
		}
		key := prefix + name.Value
		lower := strings.ToLower(key)
		s, known := settingOf(lower)
		switch {
		case known:
			if p.seen[lower] {
				p.report(name, key, lower+" is given more than once", "the last one counts")
			}
			p.seen[lower] = true
			p.value(s, key, value)
		case isSection(lower):
			p.section(lower, key, value)
		case looksSecret(name.Value):
			p.secret(name, key)
		default:
			p.unknown(name, key)
			p.secretsIn(value)
		}
	}
}

func (p *parser) value(s setting, key string, value *yaml.Node) {
	delete(p.values, s.key) // of an earlier line with the same key
	if isNull(value) {
		return
	}
	if s.rules {
		p.rules(s, key, value)
		return
	}
	if s.table != nil {
		p.table(s, key, value)
		return
	}
	if s.list && value.Kind == yaml.SequenceNode {
		p.list(s, key, value)
		return
	}
	if value.Kind != yaml.ScalarNode {
		p.report(value, key, s.key+" must be a single value, not "+kindOf(value), s.hint())
		p.secretsIn(value)
		return
	}
	if s.text && value.ShortTag() != "!!str" {
		p.report(value, key, s.key+" must be text, not "+quote(value.Value), "if that is its name, put it in quotes")
		return
	}
	if message, hint := s.complaint(s.key, value.Value); message != "" {
		p.report(value, key, message, hint)
		return
	}
	p.values[s.key] = value.Value
}

// rules takes a list of rules, or one. Those that are wrong are left out, in the words of who reads them.
func (p *parser) rules(s setting, key string, value *yaml.Node) {
	items := value.Content
	switch value.Kind {
	case yaml.ScalarNode:
		items = []*yaml.Node{value}
	case yaml.SequenceNode:
	default:
		p.report(value, key, s.key+" must be a list of rules, not "+kindOf(value), s.hint())
		return
	}
	var rules []string
	for _, item := range items {
		item = resolve(item)
		if item.Kind != yaml.ScalarNode || strings.Contains(item.Value, betweenRules) {
			p.report(item, key, s.key+" must be a list of rules, not of "+kindOf(item), "a rule is text; put it in quotes")
			continue
		}
		if _, err := permission.Parse(item.Value, permission.Ask, permission.Config); err != nil {
			p.report(item, key, s.key+": "+err.Error(), "the rule is left out, and until it is mended everything is asked")
			continue
		}
		rules = append(rules, item.Value)
	}
	p.values[s.key] = strings.Join(rules, betweenRules)
}

// list takes a list of names, which is kept with commas between them.
func (p *parser) list(s setting, key string, value *yaml.Node) {
	names := make([]string, 0, len(value.Content))
	for _, item := range value.Content {
		item = resolve(item)
		if item.Kind != yaml.ScalarNode || strings.ContainsAny(item.Value, ", ") {
			p.report(item, key, s.key+" must be a list of names, each without comma and blank", s.hint())
			return
		}
		names = append(names, item.Value)
	}
	text := strings.Join(names, ",")
	if message, hint := s.complaint(s.key, text); message != "" {
		p.report(value, key, message, hint)
		return
	}
	p.values[s.key] = text
}

func (p *parser) section(lower, key string, value *yaml.Node) {
	switch {
	case isNull(value):
	case value.Kind == yaml.MappingNode:
		p.mapping(lower+".", value)
	default:
		p.report(value, key, lower+" must hold settings of its own, not "+kindOf(value), "put them below it, indented")
	}
}

// resolve follows an alias to what it stands for.
func resolve(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

func isNull(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null"
}

func kindOf(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	default:
		return "a single value"
	}
}
