package index

import (
	"bytes"
	"fmt"
	"regexp/syntax"
)

// need is what a text must hold to match: a literal, all of some needs, or any of some. Nil is no need at all.
type need struct {
	literal []byte // folded
	all     []*need
	any     []*need
}

func needLiteral(folded []byte) *need {
	if len(folded) == 0 {
		return nil
	}
	return &need{literal: folded}
}

// needOf is what every match of an expression holds.
func needOf(re *syntax.Regexp) *need { return reachOf(re).asNeed() }

// met says whether a text has what is needed.
func (n *need) met(p *passage) bool {
	return n.metBy(func(literal []byte) bool { return bytes.Contains(p.fold(), literal) })
}

// metBy says it by whether there is a literal.
func (n *need) metBy(has func(literal []byte) bool) bool {
	if n == nil {
		return true
	}
	if n.literal != nil {
		return has(n.literal)
	}
	for _, n := range n.all {
		if !n.metBy(has) {
			return false
		}
	}
	for _, n := range n.any {
		if n.metBy(has) {
			return true
		}
	}
	return len(n.any) == 0
}

// Need is what every text that an expression fits must hold.
type Need struct{ need *need }

// NeedOf is what an expression needs.
func NeedOf(expr string) (*Need, error) {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPattern, err)
	}
	return &Need{needOf(parsed)}, nil
}

// Met says whether a text has what is needed, by whether it has a literal, whatever its case; that is given as it is folded.
func (n *Need) Met(has func(folded string) bool) bool {
	return n.need.metBy(func(literal []byte) bool { return has(string(literal)) })
}
