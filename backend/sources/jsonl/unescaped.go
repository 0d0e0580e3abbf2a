package jsonl

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/tidwall/gjson"
)

// valueOf is what the text of a value says, as [gjson.Parse] has it.
func valueOf(text string) gjson.Result {
	if text[0] == '"' && len(text) > 1 && text[len(text)-1] == '"' {
		if said, ok := unescaped(text[1 : len(text)-1]); ok {
			return gjson.Result{Type: gjson.String, Raw: text, Str: said}
		}
	}
	return gjson.Parse(text)
}

// unescaped is what stands between the quotes of a string; not ok if it can't stand there.
func unescaped(text string) (said string, ok bool) {
	next := strings.IndexByte(text, '\\')
	if next < 0 {
		return text, true
	}
	if controls(text) {
		return "", false
	}
	out := make([]byte, 0, len(text))
	for ; next >= 0; next = strings.IndexByte(text, '\\') {
		out = append(out, text[:next]...)
		if text = text[next+1:]; text == "" {
			return "", false
		}
		c := text[0]
		text = text[1:]
		if c == 'u' {
			r, size := escaped(text)
			if size == 0 {
				return "", false
			}
			out, text = utf8.AppendRune(out, r), text[size:]
			continue
		}
		if c = escapes[c]; c == 0 {
			return "", false
		}
		out = append(out, c)
	}
	out = append(out, text...)
	return unsafe.String(unsafe.SliceData(out), len(out)), true // nobody writes to it any more
}

// escapes are what stands behind a backslash, and what it stands for.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// controls tells of characters that can't stand in a string as they are.
func controls(text string) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	rest := unsafe.Slice(unsafe.StringData(text), len(text))
	for ; len(rest) >= 8; rest = rest[8:] {
		if w := binary.LittleEndian.Uint64(rest); (w-' '*ones)&^w&highs != 0 {
			return true
		}
	}
	for _, c := range rest {
		if c < ' ' {
			return true
		}
	}
	return false
}

// escaped is the character that is written in hexadecimal digits, those of a second one behind it if it takes two; size is 0 if it is none.
func escaped(text string) (r rune, size int) {
	const digits, both = 4, 10
	r, ok := unit(text)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, digits
	}
	if len(text) < both || text[digits] != '\\' || text[digits+1] != 'u' {
		return r, digits
	}
	low, ok := unit(text[digits+2:])
	if !ok {
		return 0, 0
	}
	return utf16.DecodeRune(r, low), both
}

func unit(text string) (r rune, ok bool) {
	const digits = 4
	if len(text) < digits {
		return 0, false
	}
	for _, c := range []byte(text[:digits]) {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
