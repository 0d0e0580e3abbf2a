package index

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// spots finds an expression that is nothing but a literal where something holds, such as a border of a word before it. The machine of
// expressions goes through all of a text for these, at a hundredth of the speed at which a literal is found: so the literal is looked for,
// and where it stands the expression is asked, of that and of one character on either side.
type spots struct {
	folded []byte
	first  *regexp.Regexp // at the beginning of a text
	behind *regexp.Regexp // behind any one character
}

// spotsOf is nil for an expression that is more than that.
func spotsOf(parsed *syntax.Regexp) *spots {
	r := reachOf(parsed)
	if len(r.texts) != 1 || r.texts[0] == "" {
		return nil
	}
	expr := "(?:" + parsed.String() + ")"
	first, err := regexp.Compile(`\A` + expr)
	if err != nil {
		return nil
	}
	behind, err := regexp.Compile(`(?s:\A.)` + expr)
	if err != nil {
		return nil
	}
	return &spots{[]byte(r.texts[0]), first, behind}
}

// in returns the first match in a text; -1 if there is none.
func (s *spots) in(p *passage) (start, end int) {
	folded := p.fold()
	at, place := 0, 0 // the same place in the text, and in what it was folded to
	for {
		next := bytes.Index(folded[place:], s.folded)
		if next < 0 {
			return -1, -1
		}
		at += p.unfold(at, next)
		place += next
		if end, ok := s.at(p.text, at, at+p.unfold(at, len(s.folded))); ok {
			return at, end
		}
		_, size := utf8.DecodeRune(folded[place:])
		at += p.unfold(at, size)
		place += size
	}
}

// at tells whether the expression matches from a place to about another, and where to just.
func (s *spots) at(text []byte, start, end int) (to int, ok bool) {
	_, after := utf8.DecodeRune(text[end:])
	expr, from := s.first, start
	if start > 0 {
		_, before := utf8.DecodeLastRune(text[:start])
		expr, from = s.behind, start-before
	}
	match := expr.FindIndex(text[from : end+after])
	if match == nil {
		return 0, false
	}
	return from + match[1], true
}

// unfold is how much of the text from a place on was folded to so many bytes.
func (p *passage) unfold(at, folded int) int {
	if p.even {
		return folded
	}
	return unfolded(p.text[at:], folded)
}
