// Package expression finds what a regular expression (RE2) fits in a text: each place once, with the borders of words and lines that
// the whole text has. What it fits without a character is no place.
//
// RE2 takes a time that grows with the text, whatever the expression, but to find all places it may take that for each of them, and a
// text may be long: so it is looked through in a way that can be called off.
package expression

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"golang.org/x/text/unicode/norm"

	"palimpsest/backend/automaton"
	"palimpsest/backend/index"
	"palimpsest/backend/literal"
)

// ErrSyntax is wrapped by the error of a text that is no regular expression.
var ErrSyntax = errors.New("no regular expression")

// Expression is what is looked for. It is not for several goroutines at once.
type Expression struct {
	finder *automaton.Finder
	// need is what every match holds, by its needles; folds says that case is not minded.
	need    *index.Need
	needles map[string]*literal.Needle
	folds   bool
}

// New reads an expression. As in a search of everything it is compared in Unicode's composed form, and minds case only if asked to.
func New(text string, matchCase bool) (*Expression, error) {
	text = composed(text)
	// On its own first: what is wrong with it is told in what was written.
	if _, err := regexp.Compile(text); err != nil {
		return nil, syntaxError(err)
	}
	if _, err := regexp.Compile(text + `)`); err == nil { // what is quoted to the end takes in all that is put behind it
		text += `\E`
	}
	if !matchCase {
		text = "(?i)" + text
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, syntaxError(err)
	}
	finder, err := automaton.NewFinder(parsed)
	if err != nil {
		return nil, syntaxError(err)
	}
	need, err := index.NeedOf(text)
	if err != nil {
		return nil, err
	}
	return &Expression{finder, need, map[string]*literal.Needle{}, !matchCase}, nil
}

func syntaxError(err error) error {
	return fmt.Errorf("%w: %s", ErrSyntax, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
}

// composed is a text as it is compared.
func composed(text string) string {
	return norm.NFC.String(strings.ToValidUTF8(text, "\uFFFD"))
}

// MayBeIn tells whether a line of JSON could hold a place in one of its strings, as [literal.Needle.MayBeIn] does.
func (e *Expression) MayBeIn(line []byte) bool {
	return e.need.Met(func(text string) bool {
		needle, ok := e.needles[text]
		if !ok {
			needle = literal.New(text, false)
			e.needles[text] = needle
		}
		return needle.MayBeIn(line) || e.folds && strings.Contains(text, "s") && holdsLongS(line)
	})
}

// holdsLongS is whether a line holds the long s, which to an expression is a case of the other.
func holdsLongS(line []byte) bool {
	return bytes.Contains(line, []byte("\u017f")) || bytes.Contains(line, []byte(`\u017f`)) || bytes.Contains(line, []byte(`\u017F`))
}
