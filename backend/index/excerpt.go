package index

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What is shown around a match, and of a match, in characters.
const (
	around    = 80
	matchMost = 300
)

// found is a match in a text.
type found struct {
	text       []byte
	start, end int
}

// kept is a match with no more of its text than an excerpt needs, of its own.
func (f found) kept() found {
	const most = around * utf8.UTFMax
	from := border(f.text, max(0, f.start-most))
	to := border(f.text, min(len(f.text), min(f.end, f.start+matchMost*utf8.UTFMax)+most))
	text := append([]byte(nil), f.text[from:to]...)
	return found{text: text, start: f.start - from, end: min(f.end-from, len(text))}
}

func (f found) excerpt() (before, match, after string) {
	from, to := f.start, f.start
	for n := 0; n < around && from > 0; n++ {
		_, size := utf8.DecodeLastRune(f.text[:from])
		from -= size
	}
	for n := 0; n < matchMost && to < f.end; n++ {
		_, size := utf8.DecodeRune(f.text[to:])
		to += size
	}
	end := to
	// Of what is shorter nobody tells that it goes on: a run of white space is one blank of it.
	blank := false
	for n := 0; n < around && to < len(f.text); {
		r, size := utf8.DecodeRune(f.text[to:])
		if !unicode.IsSpace(r) || !blank {
			n++
		}
		blank = unicode.IsSpace(r)
		to += size
	}
	return oneLine(f.text[from:f.start]), oneLine(f.text[f.start:end]), oneLine(f.text[end:to])
}

// oneLine turns runs of white space into single blanks; those at the ends stay, since words may go on there.
func oneLine(text []byte) string {
	s := string(text)
	words := strings.Join(strings.Fields(s), " ")
	if words == "" && s != "" {
		return " "
	}
	if strings.TrimLeftFunc(s, unicode.IsSpace) != s {
		words = " " + words
	}
	if strings.TrimRightFunc(s, unicode.IsSpace) != s {
		words += " "
	}
	return words
}
