package jsonl

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Relaxed is the JSON of settings that their program reads as JSON5: with comments, commas at the ends of lists, names without quotes and
// texts in single ones. What is JSON stays as it is, and what is neither gives whatever can be made of it.
func Relaxed(text []byte) []byte {
	if json.Valid(text) {
		return text
	}
	out := make([]byte, 0, len(text))
	for rest := text; len(rest) > 0; {
		n := 1
		switch c := rest[0]; {
		case c == '"', c == '\'':
			n = quotedLen(rest)
			out = appendQuoted(out, rest[:n])
		case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")):
			n = commentLen(rest)
		case c == '}', c == ']':
			out = append(bytes.TrimSuffix(bytes.TrimRight(out, " \t\r\n"), []byte(",")), c)
		default:
			if n = wordLen(rest); n == 0 {
				_, n = utf8.DecodeRune(rest)
				out = append(out, rest[:n]...)
				break
			}
			out = appendWord(out, rest[:n])
		}
		rest = rest[n:]
	}
	return out
}

// quotedLen is how long a text is with its quotes, or what there is of it.
func quotedLen(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}

// appendQuoted adds a text as JSON writes it.
func appendQuoted(out, text []byte) []byte {
	if text[0] == '"' {
		return append(out, text...)
	}
	out = append(out, '"')
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			out = append(out, '\\', c)
		case c == '\'': // the last one
			return append(out, '"')
		case c != '\\':
			out = append(out, c)
		case i+1 < len(text):
			i++
			switch text[i] {
			case '\'':
				out = append(out, '\'')
			case '\n': // goes on in the next line
			default:
				out = append(out, '\\', text[i])
			}
		}
	}
	return append(out, '"')
}

// commentLen is how long a comment is, without the end of its line.
func commentLen(text []byte) int {
	end, more := "\n", 0
	if text[1] == '*' {
		end, more = "*/", 2
	}
	if i := bytes.Index(text[2:], []byte(end)); i >= 0 {
		return 2 + i + more
	}
	return len(text)
}

// wordLen is how long a name without quotes is, or a number; 0 if there is none.
func wordLen(text []byte) int {
	i := bytes.IndexFunc(text, func(r rune) bool {
		return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !bytes.ContainsRune([]byte("_$+-."), r)
	})
	if i < 0 {
		return len(text)
	}
	return i
}

// appendWord adds a name with quotes; a number and one of JSON's own words have none.
func appendWord(out, word []byte) []byte {
	own := slices.Contains([]string{"true", "false", "null"}, string(word))
	if first, _ := utf8.DecodeRune(word); own || !unicode.IsLetter(first) && first != '_' && first != '$' {
		return append(out, word...)
	}
	return append(append(append(out, '"'), word...), '"')
}
