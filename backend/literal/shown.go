package literal

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// colour is what a terminal takes for a colour or another style.
var colour = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-9;:]*m")

// What markdown does not show as it is written.
var (
	link     = regexp.MustCompile(`\[([^\[\]\n]*)\]\([^()\s]*(?:[ \t]+"[^"\n]*")?\)`)
	autolink = regexp.MustCompile(`<(https?://[^\s<>]+)>`)
	struck   = regexp.MustCompile(`~~([^~\n]+)~~`)
	// marker is what begins an item, a heading or a quotation.
	marker = regexp.MustCompile(`(?m)^[ \t]*(?:(?:[-+*>]|#{1,6}|\d{1,9}[.)])[ \t]+)+`)
)

// Shown is text about as markdown and a terminal show it: without colours, signs of emphasis, the addresses of links and what begins
// an item, with entities and escaped signs as the characters they stand for, letters and their accents in one piece, and runs of white
// space as one blank. What is found in this or in the text as it is written is what the window marks on the screen: a line counts
// where something in it is marked.
func Shown(s string) string {
	return norm.NFC.String(strings.Join(strings.Fields(Rendered(s)), " "))
}

// Rendered is what is shown of a text, with its white space: lines are those of the text, however it ends them, and cells of a table.
func Rendered(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = colour.ReplaceAllString(s, "")
	s = setAside(s)
	s = inCells(s)
	s = marker.ReplaceAllString(s, "")
	if strings.ContainsRune(s, '[') {
		s = link.ReplaceAllString(s, "$1")
	}
	if strings.ContainsRune(s, '<') {
		s = autolink.ReplaceAllString(s, "$1")
	}
	if strings.Contains(s, "~~") {
		s = struck.ReplaceAllString(s, "$1")
	}
	if strings.ContainsRune(s, '&') {
		s = html.UnescapeString(s)
	}
	s = withoutStars(withoutUnderscores(s))
	return takenBack(s)
}

// marked is what begins an item, a heading, a quotation or a cell in a text whose lines stand behind each other.
var marked = regexp.MustCompile(`(^|\s)(?:(?:[-+>|]|#{1,6}|\d{1,9}[.)])\s+)+`)

// Unmarked is what [Shown] leaves of a text of several lines that is written on one: "a lamp - a bell" is of two items.
func Unmarked(s string) string { return marked.ReplaceAllString(Shown(s), "$1") }

// withoutStars leaves out stars that begin or end a word: others, as in 2*3, mean themselves.
func withoutStars(s string) string {
	if !strings.ContainsRune(s, '*') {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '*' {
			out.WriteByte(s[i])
			i++
			continue
		}
		end := i
		for end < len(s) && s[end] == '*' {
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

// withoutUnderscores leaves out those that stand around words: others, as in a_b, mean themselves.
func withoutUnderscores(s string) string {
	if !strings.ContainsRune(s, '_') {
		return s
	}
	var cuts [][2]int
	opened := [4]int{-1, -1, -1, -1} // where the last of so many began that may still be closed
	for i := 0; i < len(s); i++ {
		if s[i] != '_' {
			continue
		}
		begin := i
		for i < len(s) && s[i] == '_' {
			i++
		}
		n := i - begin
		before, _ := utf8.DecodeLastRuneInString(s[:begin])
		after, _ := utf8.DecodeRuneInString(s[i:])
		switch {
		case n >= len(opened):
		case opened[n] >= 0 && !isWord(after) && !isBlank(before):
			cuts = append(cuts, [2]int{opened[n], n}, [2]int{begin, n})
			for m := range opened {
				if opened[m] >= opened[n] {
					opened[m] = -1
				}
			}
		case !isWord(before) && !isBlank(after):
			opened[n] = begin
		}
	}
	slices.SortFunc(cuts, func(a, b [2]int) int { return a[0] - b[0] })
	var out strings.Builder
	done := 0
	for _, cut := range cuts {
		out.WriteString(s[done:cut[0]])
		done = cut[0] + cut[1]
	}
	out.WriteString(s[done:])
	return out.String()
}

// isBlank is whether there is nothing, or white space.
func isBlank(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) }

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
