package permission

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is an argument of a command.
type word struct {
	// text is what the shell passes on, if that is known: nothing of it is expanded.
	text  string
	known bool
}

func knownWord(text string) word { return word{text: text, known: true} }

func wordsOf(from []*syntax.Word) []word {
	words := make([]word, len(from))
	for i, w := range from {
		words[i] = wordOf(w)
	}
	return words
}

// wordOf takes the quotes off a word. It is unknown if the shell would expand anything in it, names of files and braces
// included.
func wordOf(w *syntax.Word) word {
	if bare := w.Lit(); bare == "{}" || bare == "[" {
		return knownWord(bare) // what find and xargs replace, and a program: nothing is expanded
	}
	var out strings.Builder
	for i, part := range w.Parts {
		var text string
		ok := false
		switch part := part.(type) {
		case *syntax.Lit:
			text, ok = unquoted(part.Value, i == 0)
		case *syntax.SglQuoted:
			text, ok = part.Value, !part.Dollar
		case *syntax.DblQuoted:
			text, ok = doubleQuoted(part)
		}
		if !ok {
			return word{}
		}
		out.WriteString(text)
	}
	return knownWord(out.String())
}

// unquoted is a text that stands bare. first tells that it begins the word, where ~ has a meaning.
func unquoted(text string, first bool) (string, bool) {
	if first && strings.HasPrefix(text, "~") {
		return "", false
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '*', '?', '[', '{', '}', '$', '`':
			return "", false
		case '\\':
			if i++; i == len(text) {
				return "", false
			}
			if text[i] != '\n' {
				out.WriteByte(text[i])
			}
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), true
}

func doubleQuoted(quoted *syntax.DblQuoted) (string, bool) {
	if quoted.Dollar {
		return "", false
	}
	var out strings.Builder
	for _, part := range quoted.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			return "", false
		}
		for i := 0; i < len(lit.Value); i++ {
			c := lit.Value[i]
			if c == '\\' && i+1 < len(lit.Value) && strings.IndexByte("$`\"\\\n", lit.Value[i+1]) >= 0 {
				if i++; lit.Value[i] == '\n' {
					continue
				}
				c = lit.Value[i]
			}
			out.WriteByte(c)
		}
	}
	return out.String(), true
}
