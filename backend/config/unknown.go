package config

import (
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

func (p *parser) unknown(at *yaml.Node, key string) {
	hint := "the settings are listed in the documentation"
	if near := nearest(key); near != "" {
		hint = "did you mean " + near + "?"
	}
	p.report(at, key, "there is no setting "+quote(key), hint)
}

func (p *parser) secret(at *yaml.Node, key string) {
	p.report(at, key, quote(key)+" looks like a secret, and secrets don't belong in this file; it is not used",
		"remove it and set it in the environment instead, for example as OPENAI_API_KEY")
}

// secretsIn looks for secrets in a part of the file that is otherwise ignored. Aliases are not
// followed: what they stand for is looked at where it is written.
func (p *parser) secretsIn(node *yaml.Node) {
	switch node.Kind {
	case yaml.SequenceNode:
		for _, item := range node.Content {
			p.secretsIn(item)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			name, value := node.Content[i], node.Content[i+1]
			if looksSecret(name.Value) {
				p.secret(name, name.Value)
			} else {
				p.secretsIn(value)
			}
		}
	}
}

// looksSecret goes by the words of a key, so that apiKey and openai_api_key are found while
// keybindings and max_tokens are not.
func looksSecret(name string) bool {
	squeezed := squeeze(name)
	for _, part := range []string{"apikey", "secret", "password", "passwd", "credential"} {
		if strings.Contains(squeezed, part) {
			return true
		}
	}
	words := strings.FieldsFunc(splitCamel(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(words, func(word string) bool {
		switch strings.ToLower(word) {
		case "key", "token", "auth", "authorization", "bearer":
			return true
		}
		return false
	})
}

func splitCamel(name string) string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		if lower && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(r)
	}
	return b.String()
}

// squeeze leaves of a key what people agree on when they misremember it.
func squeeze(key string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(key))
}

// nearest is the setting that an unknown key was probably meant to be, or "". The last part of
// the key is compared, too: a setting of a section is often written without it.
func nearest(key string) string {
	got := squeeze(key)
	best, bestDistance := "", 3 // more than two slips are another word
	try := func(candidate, name string) {
		if d := distance(got, squeeze(name), bestDistance); d < bestDistance && d*2 <= len(got) {
			best, bestDistance = candidate, d
		}
	}
	for _, s := range settings {
		try(s.key, s.key)
		for at := 0; ; {
			dot := strings.IndexByte(s.key[at:], '.')
			if dot < 0 {
				try(s.key, s.key[at:])
				break
			}
			try(s.key[:at+dot], s.key[:at+dot])
			at += dot + 1
		}
	}
	return best
}

// distance is the Levenshtein distance of two words, or limit if it is not below that (Wagner
// and Fischer, "The String-to-String Correction Problem", 1974).
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substituted := diagonal
			if a[i] != b[j] {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, row[j]+1, row[j+1]+1)
		}
	}
	return min(row[len(b)], limit)
}
