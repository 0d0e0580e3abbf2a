// Package automaton tells quickly of most texts that an expression matches nowhere in them. Its automaton is deterministic and made as texts need
// it, state by state, as in grep and RE2 (Cox, Regular Expression Matching in the Wild, 2010): a step is a look into a table. Package regexp,
// which knows where a match is, needs some twenty times as long for a text without one, and the longer the larger the expression is: so where
// matches begin is told, too, by the automaton of the expression read from behind.
package automaton

import (
	"context"
	"regexp/syntax"
	"sync"
)

// instsMost is how many instructions the program of an expression may have: more is hardly written by hand, as by (\w{50}){50}.
const instsMost = 4_000

// Automaton is that of an expression. Many may ask it at once.
type Automaton struct {
	prog    *syntax.Prog
	classes *classes
	// assertive tells that the expression asks what is before or behind a place.
	assertive bool
	machines  sync.Pool
	// back is that of the expression read from behind; nil if it would be too large.
	back func() *Automaton
	// goesOn says that it does so behind a match, and tells of each.
	goesOn bool
}

// New makes that of an expression that was parsed; nil if it would be too large, or of no use.
func New(parsed *syntax.Regexp) *Automaton {
	a := compiled(parsed)
	if a == nil || a.prog.StartCond()&syntax.EmptyBeginText != 0 { // package regexp does not go on either where it does not match at the beginning
		return nil
	}
	a.back = sync.OnceValue(func() *Automaton {
		back := compiled(reversed(parsed))
		if back != nil {
			back.goesOn = true
		}
		return back
	})
	return a
}

func compiled(parsed *syntax.Regexp) *Automaton {
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(prog.Inst) > instsMost {
		return nil
	}
	a := &Automaton{prog: prog}
	for i := range prog.Inst {
		a.assertive = a.assertive || prog.Inst[i].Op == syntax.InstEmptyWidth
	}
	if a.classes = classesOf(prog, a.assertive); a.classes == nil {
		return nil
	}
	a.machines.New = func() any { return newMachine(a) }
	return a
}

// MayMatch is false only if the expression matches nowhere in a text. It is true also where that would take too long to tell, or was called off.
func (a *Automaton) MayMatch(ctx context.Context, text []byte) bool {
	m, _ := a.machines.Get().(*machine) // the pool makes nothing else
	defer a.machines.Put(m)
	return m.mayMatch(ctx, text)
}
