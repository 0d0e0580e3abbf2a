package config

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// table is a setting that holds rows by names of the user's own, each with fields.
type table struct {
	// name says what a name would have to be, or "" if it is fine; same tells which names are one.
	name   func(string) string
	same   func(string) string
	fields []setting
	// lacks says what a row lacks without which it is none, or "".
	lacks func(row map[string]string) (key, message string)
}

var providersTable = &table{
	name: isProviderName, same: KeyVariable,
	fields: []setting{
		{key: "base_url", initial: "", check: isAddress, private: true},
		{key: "model", initial: "", check: isName, text: true},
		{key: "context_window", initial: 0, check: isCount},
	},
	lacks: func(row map[string]string) (string, string) {
		if row["base_url"] == "" {
			return "base_url", "has no address in base_url"
		}
		return "", ""
	},
}

var modelsTable = &table{
	name: isModelName, same: strings.ToLower,
	fields: []setting{
		{key: "context_window", initial: 0, check: isCount},
		{key: "max_output_tokens", initial: 0, check: isCount},
		{key: "images", initial: "", check: isBool},
		{key: "input", initial: "", check: isPrice},
		{key: "output", initial: "", check: isPrice},
		{key: "cache_read", initial: "", check: isPrice},
		{key: "cache_write", initial: "", check: isPrice},
	},
	lacks: func(row map[string]string) (string, string) {
		input, output := row["input"] != "", row["output"] != ""
		switch {
		case input && !output, !input && !output && (row["cache_read"] != "" || row["cache_write"] != ""):
			return "output", "has a price and none for output"
		case output && !input:
			return "input", "has a price and none for input"
		}
		return "", ""
	},
}

func isModelName(text string) string {
	if text == "" {
		return "the name of a model"
	}
	return isName(text)
}

// table takes the rows of a table. A field that is wrong is left out, and so is a row that lacks what it needs.
func (p *parser) table(s setting, key string, value *yaml.Node) {
	if value.Kind != yaml.MappingNode {
		p.report(value, key, s.key+" must hold names with settings of their own, not "+kindOf(value), "put them below it, indented")
		p.secretsIn(value)
		return
	}
	var rows []map[string]string
	at := map[string]int{}
	for i := 0; i+1 < len(value.Content); i += 2 {
		name, fields := resolve(value.Content[i]), resolve(value.Content[i+1])
		if name.Kind != yaml.ScalarNode {
			p.report(value.Content[i], key, "a key must be a word, not "+kindOf(name), "")
			p.secretsIn(fields)
			continue
		}
		if want := s.table.name(name.Value); want != "" {
			p.report(name, key, "a name in "+s.key+" must be "+want+", not "+quote(name.Value), "")
			p.secretsIn(fields)
			continue
		}
		row := p.row(s, name, fields)
		if row == nil {
			continue
		}
		same := s.table.same(name.Value)
		if before, twice := at[same]; twice {
			p.report(name, s.key+"."+name.Value, s.key+"."+name.Value+" is given more than once, or under two names that count as one", "the last one counts")
			rows[before] = row
			continue
		}
		at[same] = len(rows)
		rows = append(rows, row)
	}
	p.values[s.key] = rowsText(rows)
}

// row is nil if it lacks what it needs.
func (p *parser) row(s setting, name, fields *yaml.Node) map[string]string {
	row := map[string]string{rowName: name.Value}
	path := s.key + "." + name.Value
	if fields.Kind != yaml.MappingNode {
		p.report(name, path, path+" must hold settings of its own", "put them below it, indented")
		p.secretsIn(fields)
		return nil
	}
	for i := 0; i+1 < len(fields.Content); i += 2 {
		field, value := resolve(fields.Content[i]), resolve(fields.Content[i+1])
		known, ok := s.table.field(field.Value)
		switch {
		case field.Kind == yaml.ScalarNode && ok:
			if text, right := p.field(known, path+"."+known.key, value); right {
				row[known.key] = text
			}
		case looksSecret(field.Value):
			p.secret(field, path+"."+field.Value)
		default:
			p.unknownField(s, field, path)
			p.secretsIn(value)
		}
	}
	if field, message := s.table.lacks(row); message != "" {
		p.report(name, path+"."+field, path+" "+message, "it is left out")
		return nil
	}
	return row
}

func (p *parser) field(s setting, path string, value *yaml.Node) (string, bool) {
	switch {
	case isNull(value):
		return "", false
	case value.Kind != yaml.ScalarNode:
		p.report(value, path, path+" must be a single value, not "+kindOf(value), "")
		p.secretsIn(value)
	case s.text && value.ShortTag() != "!!str":
		p.report(value, path, path+" must be text, not "+quote(value.Value), "if that is its name, put it in quotes")
	default:
		message, _ := s.complaint(path, value.Value)
		if message == "" {
			return value.Value, true
		}
		p.report(value, path, message, "")
	}
	return "", false
}

func (p *parser) unknownField(s setting, field *yaml.Node, path string) {
	hint := "there are "
	best, bestDistance := "", 3
	for i, known := range s.table.fields {
		if i > 0 {
			hint += ", "
		}
		hint += known.key
		if d := distance(squeeze(field.Value), squeeze(known.key), bestDistance); d < bestDistance {
			best, bestDistance = known.key, d
		}
	}
	if best != "" {
		hint = "did you mean " + best + "?"
	}
	p.report(field, path+"."+field.Value, "there is no setting "+quote(path+"."+field.Value), hint)
}

func (t *table) field(key string) (setting, bool) {
	for _, s := range t.fields {
		if strings.EqualFold(s.key, key) {
			return s, true
		}
	}
	return setting{}, false
}
