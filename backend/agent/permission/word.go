package permission

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is an argument of a command.
type word struct {
	// text is what the shell passes on, if that is known: nothing of it is expanded.
	text  string
	known bool
	// begins is what every argument that the shell makes of an unknown word begins with; empty if that is anything.
	begins string
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
		out.WriteString(text)
		if !ok {
			return unknownWord(w, out.String())
		}
	}
	return knownWord(out.String())
}

// unknownWord begins with what stands before the first expansion, unless the shell may split what one of them gives.
func unknownWord(w *syntax.Word, begins string) word {
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
		case *syntax.SglQuoted:
			if part.Dollar {
				return word{}
			}
		case *syntax.DblQuoted:
			if part.Dollar || slices.ContainsFunc(part.Parts, isAllArguments) {
				return word{}
			}
		default:
			return word{}
		}
	}
	return word{begins: begins}
}

// isAllArguments knows the one expansion that makes several words between quotes, too.
func isAllArguments(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	return ok && (p.Param == nil || p.Param.Value == "@")
}

// unquoted is a text that stands bare or, if not all of it is known, its beginning. first tells that it begins the word, where ~
// has a meaning: it becomes a folder, or stays.
func unquoted(text string, first bool) (string, bool) {
	if first && strings.HasPrefix(text, "~") {
		return "~", false
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '*', '?', '[', '{', '}', '$', '`':
			return out.String(), false
		case '\\':
			if i++; i == len(text) {
				return out.String(), false
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
			return out.String(), false
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
