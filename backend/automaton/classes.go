package automaton

import (
	"regexp/syntax"
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"
)

const (
	// comparedMost is how many comparisons of instructions with runs of characters may be made for the classes of an expression, and runsMost
	// how many runs there may be.
	comparedMost = 1 << 20
	runsMost     = 1 << 14
)

// classes are characters that an expression does not tell apart, numbered from 0.
type classes struct {
	ascii [utf8.RuneSelf]uint16
	// from are where runs of characters of one class begin, in order, and of which they are.
	from []rune
	of   []uint16
	// first is a character of each class.
	first []rune
}

// classesOf is nil where that takes too long. With words, what is part of a word is told from what isn't, and the end of a line.
func classesOf(prog *syntax.Prog, words bool) *classes {
	insts := takersOf(prog)
	c := &classes{from: bordersOf(insts, words)}
	if len(c.from) == 0 || len(c.from)*len(insts) > comparedMost {
		return nil
	}
	known := map[string]uint16{}
	sign := make([]byte, len(insts)+1)
	for _, r := range c.from {
		for i, inst := range insts {
			sign[i] = 0
			if takes(inst, r) {
				sign[i] = 1
			}
		}
		if words {
			sign[len(insts)] = byte(before(r))
		}
		class, ok := known[string(sign)]
		if !ok {
			class = uint16(len(c.first))
			known[string(sign)] = class
			c.first = append(c.first, r)
		}
		c.of = append(c.of, class)
	}
	for r := range c.ascii {
		c.ascii[r] = c.find(rune(r))
	}
	return c
}

// find is the class of a character.
func (c *classes) find(r rune) uint16 {
	return c.of[sort.Search(len(c.from), func(i int) bool { return c.from[i] > r })-1]
}

// takes tells whether an instruction takes a character.
func takes(inst *syntax.Inst, r rune) bool {
	switch inst.Op {
	case syntax.InstRune, syntax.InstRune1:
		return inst.MatchRune(r)
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return r != '\n'
	}
	return false
}

// before is a character that is as another one is for what asks what is before a place.
func before(r rune) rune {
	switch {
	case r == '\n':
		return r
	case syntax.IsWordChar(r):
		return '_'
	}
	return ' '
}

// takersOf are the instructions that take characters, of those that are repeated the first.
func takersOf(prog *syntax.Prog) (insts []*syntax.Inst) {
	type characters struct {
		op   syntax.InstOp
		only rune
		list *rune
		fold uint32
	}
	known := map[characters]bool{}
	for i := range prog.Inst {
		inst := &prog.Inst[i]
		of := characters{op: inst.Op, fold: inst.Arg}
		switch {
		case inst.Op == syntax.InstRuneAny || inst.Op == syntax.InstRuneAnyNotNL:
		case inst.Op != syntax.InstRune && inst.Op != syntax.InstRune1:
			continue
		case len(inst.Rune) == 1:
			of.only = inst.Rune[0]
		case len(inst.Rune) > 0:
			of.list = &inst.Rune[0]
		}
		if !known[of] {
			known[of] = true
			insts = append(insts, inst)
		}
	}
	return insts
}

// bordersOf are the characters from which on another instruction may take them than the one before; none where there are too many.
func bordersOf(insts []*syntax.Inst, words bool) []rune {
	out := []rune{0}
	run := func(from, to rune) { out = append(out, from, to+1) }
	if words {
		for _, r := range []string{"\n\n", "09", "AZ", "__", "az"} {
			run(rune(r[0]), rune(r[1]))
		}
	}
	for _, inst := range insts {
		switch {
		case len(out) > runsMost:
			return nil
		case inst.Op == syntax.InstRuneAnyNotNL:
			run('\n', '\n')
		case inst.Op == syntax.InstRuneAny:
		case len(inst.Rune) == 1:
			r := inst.Rune[0]
			for run(r, r); syntax.Flags(inst.Arg)&syntax.FoldCase != 0; run(r, r) {
				if r = unicode.SimpleFold(r); r == inst.Rune[0] {
					break
				}
			}
		default:
			for pair := range slices.Chunk(inst.Rune, 2) {
				run(pair[0], pair[1])
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
