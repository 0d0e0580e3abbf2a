package index

import (
	"bytes"
	"context"
	"fmt"
	"regexp/syntax"

	"palimpsest/backend/automaton"
)

// needle is a pattern, made ready.
type needle struct {
	exact  []byte // where case matters
	folded []byte
	spots  *spots            // of an expression that is a literal where something holds
	finder *automaton.Finder // of any other one
	need   *need
}

func newNeedle(p Pattern) (*needle, error) {
	text := composed(p.Text)
	if !p.Regexp {
		n := &needle{}
		n.folded, _ = appendFolded(nil, []byte(text))
		n.need = needLiteral(n.folded)
		if p.Case {
			n.exact = []byte(text)
		}
		return n, nil
	}
	if !p.Case {
		text = "(?i)" + text
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPattern, err)
	}
	n := &needle{spots: spotsOf(parsed), need: needOf(parsed)}
	if n.spots == nil {
		if n.finder, err = automaton.NewFinder(parsed); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPattern, err)
		}
	}
	return n, nil
}

func newNeedles(patterns []Pattern) ([]*needle, error) {
	out := make([]*needle, len(patterns))
	for i, p := range patterns {
		var err error
		if out[i], err = newNeedle(p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isExpression tells whether it is an expression, be it a literal at bottom.
func (n *needle) isExpression() bool { return n.spots != nil || n.finder != nil }

// in returns the first match in a text; -1 if there is none. It is not ok if that was not found out, see [automaton.Finding.From].
func (n *needle) in(ctx context.Context, p *passage, patience *automaton.Patience) (start, end int, ok bool) {
	if n.finder == nil {
		start, end = n.literalIn(p)
		return start, end, true
	}
	if !n.need.met(p) {
		return -1, -1, true
	}
	return n.finder.In(ctx, p.text, patience).From(0)
}

// literalIn is in of what is a literal.
func (n *needle) literalIn(p *passage) (start, end int) {
	switch {
	case n.spots != nil:
		return n.spots.in(p)
	case n.exact != nil:
		if start = bytes.Index(p.text, n.exact); start >= 0 {
			return start, start + len(n.exact)
		}
		return -1, -1
	}
	folded := p.fold()
	if start = bytes.Index(folded, n.folded); start < 0 {
		return -1, -1
	}
	end = start + len(n.folded)
	if !p.even {
		return unfolded(p.text, start), unfolded(p.text, end)
	}
	return start, end
}

// passage is a text that is looked at, and its folded form as soon as somebody needs it.
type passage struct {
	text   []byte
	folded []byte
	even   bool
	done   bool
}

func (p *passage) fold() []byte {
	if !p.done {
		p.folded, p.even = appendFolded(p.folded[:0], p.text)
		p.done = true
	}
	return p.folded
}

func (p *passage) set(text []byte) { p.text, p.done = text, false }
