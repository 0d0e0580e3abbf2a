package cli

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"palimpsest/backend/export"
)

// oneLine makes text from anywhere fit for one line of a terminal.
func oneLine(s string) string { return export.OneLine(s) }

// manyLines is oneLine for text whose lines and tabs are to stay.
func manyLines(s string) string { return export.ManyLines(s) }

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
