package config

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// member is a field of an entry. An empty one is written only where there is another one to replace.
type member struct {
	key, value string
	bare       bool // a number, without quotes
}

func (m member) empty() bool { return m.value == "" || m.bare && m.value == "0" }

func (m member) text() string {
	if m.bare {
		return m.value
	}
	quoted, err := quotedYAML(m.value)
	if err != nil {
		panic("config: text that can't be encoded: " + err.Error())
	}
	return quoted
}

// entryOf finds the section of providers and an entry in it. Nil is what is not there; false where neither can be edited.
func entryOf(data []byte, name string) (section, key, entry *yaml.Node, ok bool) {
	var doc yaml.Node
	if !editable(data) || yaml.Unmarshal(data, &doc) != nil {
		return nil, nil, nil, false
	}
	if len(doc.Content) == 0 || isNull(doc.Content[0]) {
		return nil, nil, nil, true
	}
	root := doc.Content[0]
	if !isBlock(root, yaml.MappingNode) {
		return nil, nil, nil, false
	}
	title, section := memberOf(root, keyProviders)
	switch {
	case title == nil:
		return nil, nil, nil, true
	case isEmpty(section):
		return title, nil, nil, true
	case !isBlock(section, yaml.MappingNode) || section.Line <= title.Line:
		return nil, nil, nil, false
	}
	for i := 0; i+1 < len(section.Content); i += 2 {
		if KeyVariable(section.Content[i].Value) == KeyVariable(name) {
			return section, section.Content[i], section.Content[i+1], true
		}
	}
	return section, nil, nil, true
}

// withEntry sets fields of an entry: line by line where each has one, or the one line on which all of them stand.
func withEntry(data []byte, name string, fields []member) ([]byte, bool) {
	section, key, entry, ok := entryOf(data, name)
	if !ok {
		return nil, false
	}
	indent := "  "
	if section != nil && section.Kind == yaml.MappingNode {
		indent = strings.Repeat(" ", section.Content[0].Column-1)
	}
	whole := []string{indent + name + ":"}
	for _, f := range fields {
		if !f.empty() {
			whole = append(whole, indent+"  "+f.key+": "+f.text())
		}
	}
	switch {
	case section == nil:
		return appendLines(data, append([]string{keyProviders + ":"}, whole...)), true
	case section.Kind != yaml.MappingNode: // the title, with nothing below it
		return insertAt(data, section.Line+1, whole), true
	case key == nil:
		return insertAt(data, section.Content[0].Line, whole), true
	case isEmpty(entry):
		return insertAt(data, key.Line+1, whole[1:]), true
	case isBlock(entry, yaml.MappingNode) && entry.Line > key.Line:
		return withFields(data, entry, fields)
	case entry.Kind == yaml.MappingNode && lastLine(entry) == key.Line:
		return replaceLine(data, key.Line, flowLine(indent, key, entry, fields)), true
	}
	return nil, false
}

// withFields replaces lines of an entry, and adds those that are not there before its first.
func withFields(data []byte, entry *yaml.Node, fields []member) ([]byte, bool) {
	indent := strings.Repeat(" ", entry.Content[0].Column-1)
	var added []string
	for _, f := range fields {
		line := indent + f.key + ": " + f.text()
		name, old := memberOf(entry, f.key)
		switch {
		case name == nil && !f.empty():
			added = append(added, line)
		case name == nil:
		case old.Kind != yaml.ScalarNode || lastLine(old) != name.Line || old.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
			return nil, false
		case old.Value != f.value:
			if comment := old.LineComment; comment != "" {
				line += " " + comment
			}
			data = replaceLine(data, name.Line, line)
		}
	}
	return insertAt(data, entry.Content[0].Line, added), true
}

// flowLine is an entry on one line, with what else stands in it.
func flowLine(indent string, key, entry *yaml.Node, fields []member) string {
	var parts []string
	for i := 0; i+1 < len(entry.Content); i += 2 {
		name, value := entry.Content[i], entry.Content[i+1]
		if _, known := providersTable.field(name.Value); known {
			continue
		}
		quoted := member{value: value.Value, bare: value.ShortTag() != "!!str"}
		parts = append(parts, name.Value+": "+quoted.text())
	}
	var own []string
	for _, f := range fields {
		if !f.empty() {
			own = append(own, f.key+": "+f.text())
		}
	}
	line := indent + key.Value + ": {" + strings.Join(append(own, parts...), ", ") + "}"
	if comment := entry.LineComment + key.LineComment; comment != "" {
		line += " " + comment
	}
	return line
}

// withoutEntry removes the lines of an entry, and the title of the section with the last one.
func withoutEntry(data []byte, name string) ([]byte, bool) {
	section, key, entry, ok := entryOf(data, name)
	if !ok || key == nil || entry.Kind != yaml.MappingNode && !isEmpty(entry) {
		return nil, false
	}
	first, last := key.Line, max(key.Line, lastLine(entry))
	const pair = 2
	if len(section.Content) == pair && section.Line == first {
		lines := strings.SplitAfter(string(data), "\n")
		if title := first - 1; strings.HasPrefix(strings.ToLower(strings.TrimSpace(lines[title-1])), keyProviders) {
			first = title
		}
	}
	lines := strings.SplitAfter(string(data), "\n")
	return []byte(strings.Join(append(lines[:first-1:first-1], lines[last:]...), "")), true
}

// lastLine is where a node ends, as far as its scalars tell. What spans several lines is not known to.
func lastLine(n *yaml.Node) int {
	last := n.Line + strings.Count(n.Value, "\n")
	for _, inner := range n.Content {
		last = max(last, lastLine(inner))
	}
	return last
}
