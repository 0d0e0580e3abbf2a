package automaton

import (
	"context"
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync"
	"unicode/utf8"
)

// littleMost is how many instructions times bytes are little to do for package regexp itself, some milliseconds at most.
const littleMost = 1 << 18

// Finder finds the matches that package regexp finds. Where they begin is told by the automaton, if it can, and package regexp is asked where
// such a one ends: for a long text it would take as long for each character as the expression is large. Many may use it at once.
type Finder struct {
	whole *regexp.Regexp
	quick *Automaton // nil if it would be too large, or of no use
	size  int
	parts func() *parts
}

// parts are the expression at the beginning of a text, behind its first character, and, as the first group, anywhere behind that.
type parts struct{ first, behind, further *regexp.Regexp }

// NewFinder makes that of an expression that was parsed.
func NewFinder(parsed *syntax.Regexp) (*Finder, error) {
	text := parsed.String()
	whole, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("compiling an expression: %w", err)
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, fmt.Errorf("compiling an expression: %w", err)
	}
	// Most expressions are never asked for these. What compiles does so in a group.
	made := sync.OnceValue(func() *parts {
		return &parts{
			regexp.MustCompile(`\A(?:` + text + `)`), regexp.MustCompile(`(?s:\A.)(?:` + text + `)`), regexp.MustCompile(`(?s:\A..*?)(` + text + `)`),
		}
	})
	return &Finder{whole, New(parsed), len(prog.Inst), made}, nil
}

// In is a text in which matches are looked for. Package regexp takes its time of the patience; nil is patience without end.
func (f *Finder) In(ctx context.Context, text []byte, patience *Patience) *Finding {
	return &Finding{Finder: f, ctx: ctx, text: text, patience: patience, little: f.size*len(text) <= littleMost}
}

// Finding finds matches in a text.
type Finding struct {
	*Finder
	ctx      context.Context //nolint:containedctx // it is one call of From after the other, each with what the first one has found out
	text     []byte
	patience *Patience
	little   bool
	// Of a text for which that is not little: whether the automaton was asked, and where matches begin, if it could tell.
	asked  bool
	starts Starts
}

// From is the first match that begins at a place or behind it; -1 if there is none. It is not ok if that was not found out, since the search was
// called off, or for want of patience.
func (f *Finding) From(place int) (start, end int, ok bool) {
	if place == 0 && f.quick != nil && !f.quick.MayMatch(f.ctx, f.text) {
		return -1, -1, true
	}
	if f.ctx.Err() != nil {
		return -1, -1, false
	}
	if f.quick != nil && !f.little && !f.asked {
		f.asked = true
		f.starts, _ = f.quick.Starts(f.ctx, f.text)
	}
	if f.starts == nil {
		return f.ask(place)
	}
	if start = f.starts.From(place); start < 0 {
		return -1, -1, true
	}
	expr, from := f.parts().first, 0
	if start > 0 {
		expr, from = f.parts().behind, f.before(start)
	}
	at, ok := f.match(expr, from)
	if !ok || at == nil {
		return -1, -1, false
	}
	return start, from + at[1], true
}

// ask has package regexp find the match.
func (f *Finding) ask(place int) (start, end int, ok bool) {
	expr, from, group := f.whole, 0, 0
	if place > 0 {
		expr, from, group = f.parts().further, f.before(place), 2
	}
	at, ok := f.match(expr, from)
	if !ok || at == nil {
		return -1, -1, ok
	}
	return from + at[group], from + at[group+1], true
}

// before is where the character before a place begins.
func (f *Finding) before(place int) int {
	_, size := utf8.DecodeLastRune(f.text[:place])
	return place - size
}

// match is that of an expression in the text from a place on.
func (f *Finding) match(expr *regexp.Regexp, from int) (at []int, ok bool) {
	until, ok := f.patience.begin()
	if !ok {
		return nil, false
	}
	defer f.patience.end()
	if f.little {
		return expr.FindSubmatchIndex(f.text[from:]), true
	}
	r := &runes{ctx: f.ctx, until: until, text: f.text[from:], often: max(littleMost/f.size, 1)}
	at = expr.FindReaderSubmatchIndex(r)
	return at, !r.over
}
