package cli

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// oneLine makes text from anywhere fit for one line of a terminal: white space is a single blank, and what could move
// the cursor, change colours or turn the order of letters around is written out.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(harmless(s, "\t\n\r"), isSpace), " ")
}

func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }

// manyLines is oneLine for text whose lines and tabs are to stay.
func manyLines(s string) string {
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

// cut shortens a line to so many columns, with an ellipsis for what is left out.
func cut(s string, columns int) string {
	n, fits := 0, 0
	for i, r := range s {
		if n += columnsOfRune(r); n > columns {
			return s[:fits] + "…"
		}
		if n < columns {
			fits = i + utf8.RuneLen(r)
		}
	}
	return s
}

func columnsOfRune(r rune) int {
	if ' ' <= r && r <= '~' {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	case width.Neutral, width.EastAsianAmbiguous, width.EastAsianNarrow, width.EastAsianHalfwidth:
	}
	return 1
}

// indent puts a prefix before each line that is not empty.
func indent(s, prefix string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = prefix + line
		}
	}
	return strings.Join(lines, "\n")
}

// localTime shows a time of the JSON as a clock on the wall would; what is no time is left as it is.
func localTime(stamp string) string {
	t, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		return oneLine(stamp)
	}
	return clock(t)
}

func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// count is a number with its noun in the right form.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
