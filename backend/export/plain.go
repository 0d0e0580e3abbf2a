package export

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine makes text from anywhere fit for one line of a terminal: white space is a single blank, and what could move
// the cursor, change colours or turn the order of letters around is written out.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(harmless(s, "\t\n\r"), isSpace), " ")
}

func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }

// ManyLines is OneLine for text whose lines and tabs are to stay.
func ManyLines(s string) string {
	return harmless(strings.ReplaceAll(s, "\r\n", "\n"), "\t\n")
}

// harmless writes out everything dangerous but the characters in keep.
func harmless(s, keep string) string {
	// Nearly all text is harmless, and a log may hold a great deal of it.
	if utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return dangerous(r) && !strings.ContainsRune(keep, r)
	}) {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
			fmt.Fprintf(&out, `\x%02x`, s[i])
		case !dangerous(r) || strings.ContainsRune(keep, r):
			out.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&out, `\x%02x`, r)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// dangerous is true of control characters, line separators, and marks that change the direction of text.
func dangerous(r rune) bool {
	if ' ' <= r && r <= '~' {
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.In(r, unicode.Zl, unicode.Zp) || r == '\uFEFF'
}
