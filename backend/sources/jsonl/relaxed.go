package jsonl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Relaxed is the JSON of settings that their program reads as JSON5: with comments, commas at the ends of lists, names without quotes,
// texts in single ones, and its own escapes and numbers. What is JSON stays as it is, and what is neither gives whatever can be made of it.
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
	if json.Valid(text) {
		return append(out, text...)
	}
	quote := text[0]
	out = append(out, '"')
	for i := 1; i < len(text); i++ {
		switch c := text[i]; c {
		case quote: // the last one
			return append(out, '"')
		case '\\':
			i++
			n := 0
			out, n = appendEscaped(out, text[i:])
			i += n - 1
		default:
			out = appendPlain(out, c)
		}
	}
	return append(out, '"')
}

// appendPlain adds a byte of a text, which stands for itself.
func appendPlain(out []byte, c byte) []byte {
	switch {
	case c == '"':
		return append(out, '\\', c)
	case c < ' ':
		return fmt.Appendf(out, `\u%04x`, c)
	}
	return append(out, c)
}

// appendEscaped adds what an escape means, by what stands behind its backslash, and tells how long that is. One that JSON does not have is
// the character itself, and none at the end of a line, where the text goes on in the next.
func appendEscaped(out, text []byte) ([]byte, int) {
	const hex = 3
	for _, end := range []string{"\r\n", "\n", "\r", "\u2028", "\u2029"} {
		if bytes.HasPrefix(text, []byte(end)) {
			return out, len(end)
		}
	}
	if len(text) == 0 {
		return out, 1
	}
	if text[0] == 'x' && len(text) >= hex {
		if char, err := strconv.ParseUint(string(text[1:hex]), 16, 8); err == nil {
			return fmt.Appendf(out, `\u%04x`, char), hex
		}
	}
	switch c := text[0]; c {
	case 'u', 'b', 'f', 'n', 'r', 't', '/', '\\', '"':
		return append(out, '\\', c), 1
	case 'v':
		return appendPlain(out, '\v'), 1
	case '0':
		return appendPlain(out, 0), 1
	default:
		return appendPlain(out, c), 1
	}
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

// appendWord adds a name with quotes; a number and one of JSON's own words have none. Numbers that JSON does not have are null.
func appendWord(out, word []byte) []byte {
	switch string(bytes.TrimLeft(word, "+-")) {
	case "true", "false", "null":
		return append(out, word...)
	case "NaN", "Infinity":
		return append(out, "null"...)
	}
	if first, _ := utf8.DecodeRune(word); unicode.IsLetter(first) || first == '_' || first == '$' {
		return append(append(append(out, '"'), word...), '"')
	}
	if json.Valid(word) {
		return append(out, word...)
	}
	text := strings.TrimPrefix(string(word), "+")
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return strconv.AppendInt(out, n, 10)
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return strconv.AppendFloat(out, n, 'g', -1, 64)
	}
	return append(out, word...)
}
