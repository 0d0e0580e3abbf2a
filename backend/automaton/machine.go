package automaton

import (
	"context"
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// What a step may lead to, if it is not where the row of a state begins.
const (
	unknown int32 = 0
	matched int32 = -1
	ended   int32 = -2
)

const (
	// heldMost is how many bytes of states and steps are held. Then all is forgotten but the state at hand.
	heldMost = 1 << 20
	// creditMost is how many steps may be made before as many characters are read as that is worth, which is worth for each: about as many
	// as package regexp reads meanwhile.
	creditMost = 4_000 * worth
	worth      = 16
	// After so many bytes and so many new steps it is asked whether a search was called off.
	oftenRead = 64 << 10
	oftenMade = 64
)

// machine is an automaton in use.
type machine struct {
	*Automaton
	// width is how many steps lead from a state: one for each class, and one for the end of the text.
	width int
	// rows are the steps of all states, one after the other: the first row is none's.
	rows   []int32
	states []state
	known  map[string]int32
	// credit is how many characters more were read than the steps that were made for that were worth; held is of how many bytes states and steps
	// are.
	credit, held int

	// set is the one that is being made, seen are all instructions that were looked at for that, which has tells, too, and key is room for its
	// name.
	set, seen []uint32
	has       []bool
	key       []byte
	// told are what a machine that goes on behind a match has met in a step, of what tells.
	told, tells int32
}

// state are the instructions at which a place may be: those that take a character, and those that ask what is around the place.
type state struct {
	at []uint32
	// before is what stands before the place, see [before]; -1 at the beginning of the text.
	before rune
}

func newMachine(a *Automaton) *machine {
	m := &machine{Automaton: a, width: len(a.classes.first) + 1, has: make([]bool, len(a.prog.Inst)), credit: creditMost}
	m.forget()
	return m
}

func (m *machine) forget() {
	m.rows, m.states, m.known, m.held = make([]int32, m.width), make([]state, 1), map[string]int32{}, 0
}

// mayMatch is [Automaton.MayMatch].
func (m *machine) mayMatch(ctx context.Context, text []byte) bool {
	m.begin()
	if m.add(uint32(m.prog.Start)) {
		return true
	}
	at := m.state(-1)
	for i := 0; i < len(text); {
		if ctx.Err() != nil {
			return true
		}
		from := i
		at, i = m.through(text, i, min(len(text), i+oftenRead), at)
		m.credit = min(m.credit+i-from, creditMost)
		if at == matched || m.credit < 0 {
			return true
		}
	}
	return m.step(at, m.width-1, -1) == matched
}

// through goes from a state and a place in a text on to another place, to where the character there ends, or to where many steps were made, or one
// without credit; or to [matched].
func (m *machine) through(text []byte, from, to int, at int32) (state int32, end int) {
	rows, ascii := m.rows, &m.classes.ascii
	least := max(m.credit-oftenMade*worth, min(m.credit, 0)-1)
	for from < to && m.credit > least {
		class := 0
		if b := text[from]; b < utf8.RuneSelf {
			class = int(ascii[b])
			from++
		} else {
			r, size := utf8.DecodeRune(text[from:])
			class = int(m.classes.find(r))
			from += size
		}
		next := rows[int(at)+class]
		if next <= 0 {
			if next = m.step(at, class, m.classes.first[class]); next == matched {
				return matched, from
			}
			rows = m.rows
		}
		at = next
	}
	return at, from
}

// step is where a character of a class leads from a state, or the end of the text if that is -1.
func (m *machine) step(at int32, class int, r rune) (to int32) {
	if to = m.rows[int(at)+class]; to != unknown {
		return to
	}
	m.credit -= worth
	from := m.states[int(at)/m.width]
	if to = m.lead(&from, r); to == unknown {
		if m.held > heldMost {
			m.forget()
			at = m.name(from.at, from.before)
		}
		if to = m.state(m.behind(r)); m.told != 0 {
			to = -(to<<begins | m.told)
		}
	}
	m.rows[int(at)+class] = to
	return to
}

// behind is [before], of no use where nothing asks.
func (m *machine) behind(r rune) rune {
	if !m.assertive {
		return -1
	}
	return before(r)
}

// lead finds what a character leads to, if that is neither a match nor the end.
func (m *machine) lead(from *state, r rune) int32 {
	m.begin()
	m.told, m.tells = 0, behindIt
	around := syntax.EmptyOpContext(from.before, r)
	for i := range from.at { // those that ask, and what follows them
		if m.ask(from.at[i], around) {
			return matched
		}
	}
	if r < 0 {
		return ended
	}
	here := slices.Clone(m.set)
	m.begin()
	m.tells = beforeIt
	for _, pc := range here {
		if inst := &m.prog.Inst[pc]; takes(inst, r) && m.add(inst.Out) {
			return matched
		}
	}
	if m.add(uint32(m.prog.Start)) {
		return matched
	}
	return unknown
}

// begin begins a set.
func (m *machine) begin() {
	for _, pc := range m.seen {
		m.has[pc] = false
	}
	m.set, m.seen = m.set[:0], m.seen[:0]
}

// add adds an instruction to the set, or those that it leads to.
func (m *machine) add(pc uint32) (matched bool) {
	if m.has[pc] {
		return false
	}
	m.has[pc], m.seen = true, append(m.seen, pc)
	inst := &m.prog.Inst[pc]
	switch inst.Op {
	case syntax.InstMatch:
		m.told |= m.tells
		return !m.goesOn
	case syntax.InstFail:
		return false
	case syntax.InstAlt, syntax.InstAltMatch:
		return m.add(inst.Out) || m.add(inst.Arg)
	case syntax.InstNop, syntax.InstCapture:
		return m.add(inst.Out)
	case syntax.InstEmptyWidth, syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		m.set = append(m.set, pc)
	}
	return false
}

// ask adds an instruction to the set, and if it asks what is around the place and that is so, what follows it.
func (m *machine) ask(pc uint32, around syntax.EmptyOp) (matched bool) {
	n := len(m.set)
	if m.add(pc) {
		return true
	}
	for ; n < len(m.set); n++ {
		inst := &m.prog.Inst[m.set[n]]
		if inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&^around == 0 && m.add(inst.Out) {
			return true
		}
	}
	return false
}

// state is where the row of the state begins that is at the instructions of the set.
func (m *machine) state(before rune) int32 {
	slices.Sort(m.set)
	return m.name(m.set, before)
}

func (m *machine) name(at []uint32, before rune) int32 {
	m.key = binary.LittleEndian.AppendUint32(m.key[:0], uint32(before))
	for _, pc := range at {
		m.key = binary.LittleEndian.AppendUint32(m.key, pc)
	}
	row, ok := m.known[string(m.key)]
	if !ok {
		row = int32(len(m.rows))
		m.known[string(m.key)] = row
		m.states = append(m.states, state{slices.Clone(at), before})
		m.rows = append(m.rows, make([]int32, m.width)...)
		const cell, pc, beside = 4, 8, 100 // a step, an instruction in the state and in its name, and what holds them
		m.held += m.width*cell + len(at)*pc + beside
	}
	return row
}
