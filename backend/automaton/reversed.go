package automaton

import (
	"regexp/syntax"
	"slices"
)

// reversed is an expression that matches the texts of another one read from behind. It takes over what the other one has.
func reversed(re *syntax.Regexp) *syntax.Regexp {
	out := *re
	switch re.Op {
	case syntax.OpBeginLine:
		out.Op = syntax.OpEndLine
	case syntax.OpEndLine:
		out.Op = syntax.OpBeginLine
	case syntax.OpBeginText:
		out.Op = syntax.OpEndText
	case syntax.OpEndText:
		out.Op = syntax.OpBeginText
	case syntax.OpLiteral:
		out.Rune = slices.Clone(re.Rune)
		slices.Reverse(out.Rune)
	}
	out.Sub = make([]*syntax.Regexp, len(re.Sub))
	for i, sub := range re.Sub {
		out.Sub[i] = reversed(sub)
	}
	if re.Op == syntax.OpConcat {
		slices.Reverse(out.Sub)
	}
	return &out
}
