package index

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"regexp/syntax"

	"palimpsest/backend/automaton"
)

// needle is a pattern, made ready.
type needle struct {
	exact  []byte // where case matters
	folded []byte
	expr   *regexp.Regexp
	spots  *spots               // of an expression that is a literal where something holds
	quick  *automaton.Automaton // of any other one, tells where that is not; nil if it would be too large
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
	expr, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPattern, err)
	}
	n := &needle{expr: expr, spots: spotsOf(parsed), need: needOf(parsed)}
	if n.spots == nil {
		n.quick = automaton.New(parsed)
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

// in returns the first match in a text; -1 if there is none, or it was called off.
func (n *needle) in(ctx context.Context, p *passage) (start, end int) {
	switch {
	case n.expr != nil:
		if !n.need.met(p) {
			return -1, -1
		}
		if n.spots != nil {
			return n.spots.in(p)
		}
		if n.quick != nil && !n.quick.MayMatch(ctx, p.text) || ctx.Err() != nil {
			return -1, -1
		}
		if at := n.expr.FindIndex(p.text); at != nil {
			return at[0], at[1]
		}
		return -1, -1
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
