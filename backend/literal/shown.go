package literal

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// colour is what a terminal takes for a colour or another style.
var colour = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-9;:]*m")

// Shown is text about as markdown and a terminal show it: without colours and signs of emphasis, with entities as the characters they
// stand for, and runs of white space as one blank. Who looks for what is on the screen finds it there.
func Shown(s string) string {
	s = colour.ReplaceAllString(s, "")
	if strings.ContainsRune(s, '&') {
		s = html.UnescapeString(s)
	}
	return strings.Join(strings.Fields(withoutEmphasis(s)), " ")
}

// withoutEmphasis leaves out stars and backticks that begin or end a word: others, as in 2*3, mean themselves.
func withoutEmphasis(s string) string {
	if !strings.ContainsAny(s, "*`") {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '*' && s[i] != '`' {
			out.WriteByte(s[i])
			i++
			continue
		}
		end := i
		for end < len(s) && s[end] == s[i] {
			end++
		}
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[end:])
		if isWord(before) == isWord(after) && end-i == 1 {
			out.WriteString(s[i:end])
		}
		i = end
	}
	return out.String()
}

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
