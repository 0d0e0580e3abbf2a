package jsonl

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// Cut is the beginning of the line that goes on behind [Edge], with what is open there closed: [File.Forward] does not give it, and a first
// prompt may be longer. It is nil if there is none.
func (f *File) Cut() []byte {
	head, all := f.beginning()
	if all {
		return nil
	}
	from := bytes.LastIndexByte(head, '\n') + 1
	return Closed(trim(head[from:], from == 0))
}

// Closed is the beginning of a value in JSON with its strings, lists and objects closed: what is whole of it is there, and as much of the
// string that it ends in as there is. The text stays as it is.
func Closed(text []byte) []byte {
	var open []byte
	quoted := false
	end := len(text)
scan:
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			const unicode = 6 // \u0000
			length := 2
			if i+1 < len(text) && text[i+1] == 'u' {
				length = unicode
			}
			if i+length > len(text) {
				end = i
				break scan
			}
			i += length - 1
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	text = text[:end]
	if quoted {
		text = whole(text)
		open = append(open, '"')
	}
	slices.Reverse(open)
	return slices.Concat(text, open)
}

// whole leaves out the beginning of a character at the end.
func whole(text []byte) []byte {
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if last := text[len(text)-back:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return text[:len(text)-back]
			}
			break
		}
	}
	return text
}
