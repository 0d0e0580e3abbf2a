package literal

import (
	"html"
	"regexp"
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
	marker  = regexp.MustCompile(`(?m)^[ \t]*(?:(?:[-+*>]|#{1,6}|\d{1,9}[.)])[ \t]+)+`)
	escaped = regexp.MustCompile("\\\\[!-/:-@\\[-`{-~]")
)

// aside is where escaped signs stand while those that mean something are left out: no text has these characters.
const aside = 0x10FF00

// Shown is text about as markdown and a terminal show it: without colours, signs of emphasis, the addresses of links and what begins
// an item, with entities and escaped signs as the characters they stand for, letters and their accents in one piece, and runs of white
// space as one blank. What is found in this or in the text as it is written is what the window marks on the screen: a line counts
// where something in it is marked.
func Shown(s string) string {
	s = colour.ReplaceAllString(s, "")
	hasEscapes := strings.ContainsRune(s, '\\')
	if hasEscapes {
		s = escaped.ReplaceAllStringFunc(s, func(sign string) string { return string(aside + rune(sign[1])) })
	}
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
	s = withoutEmphasis(s)
	if hasEscapes {
		s = strings.Map(func(r rune) rune {
			if aside < r && r < aside+utf8.RuneSelf {
				return r - aside
			}
			return r
		}, s)
	}
	return norm.NFC.String(strings.Join(strings.Fields(s), " "))
}

// marked is what begins an item, a heading or a quotation in a text whose lines stand behind each other.
var marked = regexp.MustCompile(`(^|\s)(?:(?:[-+>]|#{1,6}|\d{1,9}[.)])\s+)+`)

// Unmarked is what [Shown] leaves of a text of several lines that is written on one: "a lamp - a bell" is of two items.
func Unmarked(s string) string { return marked.ReplaceAllString(Shown(s), "$1") }

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
