package cli

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// harmless is JSON that says the same without a character that a terminal takes for a command, or that turns text around. Those below the
// space are escaped in any JSON; others may stand in its strings as they are.
func harmless(text []byte) []byte {
	if bytes.IndexFunc(text, obeyed) < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+len(text)/8)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if obeyed(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}

// obeyed tells of a character that JSON may hold as it is. All of them are in the plane that one escape reaches, and none of them, as those
// of most texts, is before the last of ASCII.
func obeyed(r rune) bool {
	return r >= '\x7f' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}
