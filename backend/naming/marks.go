package naming

import (
	"strings"
	"unicode"
)

// withoutMarks takes quotes and marks of emphasis out of a line: double quotes wherever they stand, the others where they
// begin or end a word. An apostrophe, snake_case and 2 * 3 stay.
func withoutMarks(line string) string {
	runes := []rune(line)
	var out strings.Builder
	open := 0
	for i, r := range runes {
		before, after := i > 0 && isWord(runes[i-1]), i+1 < len(runes) && isWord(runes[i+1])
		switch {
		case strings.ContainsRune("\"“”„«»", r):
			continue
		case strings.ContainsRune("'‘’‚‹›", r) && !before:
			open++
			continue
		case strings.ContainsRune("'‘’‚‹›", r) && !after && open > 0:
			open--
			continue
		case strings.ContainsRune("*_~", r) && before != after:
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
