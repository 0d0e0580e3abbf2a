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

// reach is what is known of what an expression matches: exactly one text but for case, or what it needs.
type reach struct {
	exact bool
	text  []byte // folded
	need  *need
}

func (r reach) asNeed() *need {
	if r.exact {
		return needLiteral(r.text)
	}
	return r.need
}

func reachOf(re *syntax.Regexp) reach {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return reach{exact: true}
	case syntax.OpLiteral:
		folded, _ := appendFolded(nil, []byte(string(re.Rune)))
		return reach{exact: true, text: folded}
	case syntax.OpCapture:
		return reachOf(re.Sub[0])
	case syntax.OpPlus:
		return reach{need: needOf(re.Sub[0])}
	case syntax.OpRepeat:
		if re.Min > 0 {
			return reach{need: needOf(re.Sub[0])}
		}
	case syntax.OpConcat:
		return reachOfConcat(re.Sub)
	case syntax.OpAlternate:
		return reach{need: needOfAny(re.Sub)}
	}
	return reach{}
}

func reachOfConcat(subs []*syntax.Regexp) reach {
	var run []byte
	var all []*need
	exact := true
	for _, sub := range subs {
		r := reachOf(sub)
		if r.exact {
			run = append(run, r.text...)
			continue
		}
		exact = false
		all = appendNeed(all, needLiteral(run))
		all = appendNeed(all, r.need)
		run = nil
	}
	if exact {
		return reach{exact: true, text: run}
	}
	return reach{need: allOf(appendNeed(all, needLiteral(run)))}
}

func needOfAny(subs []*syntax.Regexp) *need {
	var out need
	for _, sub := range subs {
		n := needOf(sub)
		if n == nil {
			return nil
		}
		out.any = append(out.any, n)
	}
	return &out
}

func appendNeed(all []*need, n *need) []*need {
	if n == nil {
		return all
	}
	return append(all, n)
}

func allOf(all []*need) *need {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return &need{all: all}
}

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
