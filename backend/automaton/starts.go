package automaton

import (
	"context"
	"math/bits"
	"unicode/utf8"
)

// What a step backwards tells beside where it leads to: that a match begins behind the character, or before it.
const (
	behindIt int32 = 1 << iota
	beforeIt
	begins = 2 // so many bits
)

// Starts are the places in a text at which a match begins, a bit for each byte and the end.
type Starts []uint64

// From is the first place from another one on; -1 if there is none.
func (s Starts) From(place int) int {
	const word = 64
	for i := place / word; i < len(s); i++ {
		w := s[i]
		if i == place/word {
			w &= ^uint64(0) << (place % word)
		}
		if w != 0 {
			return i*word + bits.TrailingZeros64(w)
		}
	}
	return -1
}

func (s Starts) set(place int) { s[place>>6] |= 1 << (place & 63) }

// Starts goes through a text once, from its end, and finds where matches begin: not ok if that would take too long to tell, or was called off.
func (a *Automaton) Starts(ctx context.Context, text []byte) (starts Starts, ok bool) {
	back := a.back()
	if back == nil {
		return nil, false
	}
	m, _ := back.machines.Get().(*machine) // the pool makes nothing else
	defer back.machines.Put(m)
	return m.starts(ctx, text)
}

func (m *machine) starts(ctx context.Context, text []byte) (Starts, bool) {
	out := make(Starts, len(text)/64+1)
	m.begin()
	m.told, m.tells = 0, beforeIt
	m.add(uint32(m.prog.Start))
	if m.told != 0 {
		out.set(len(text))
	}
	at := m.state(-1)
	for i := len(text); i > 0; {
		if ctx.Err() != nil {
			return nil, false
		}
		to := i
		at, i = m.back(out, text, i, max(0, i-oftenRead), at)
		m.credit = min(m.credit+to-i, creditMost)
		if m.credit < 0 {
			return nil, false
		}
	}
	from := m.states[int(at)/m.width]
	if m.lead(&from, -1); m.told != 0 {
		out.set(0)
	}
	return out, true
}

// back is [machine.through] in the other direction; it notes where matches begin.
func (m *machine) back(out Starts, text []byte, from, to int, at int32) (state int32, end int) {
	rows, ascii := m.rows, &m.classes.ascii
	least := max(m.credit-oftenMade*worth, min(m.credit, 0)-1)
	for from > to && m.credit > least {
		class, size := 0, 1
		if b := text[from-1]; b < utf8.RuneSelf {
			class = int(ascii[b])
		} else {
			var r rune
			r, size = utf8.DecodeLastRune(text[:from])
			class = int(m.classes.find(r))
		}
		next := rows[int(at)+class]
		if next == unknown {
			next = m.step(at, class, m.classes.first[class])
			rows = m.rows
		}
		if next < 0 {
			if -next&behindIt != 0 {
				out.set(from)
			}
			if -next&beforeIt != 0 {
				out.set(from - size)
			}
			next = -next >> begins
		}
		at, from = next, from-size
	}
	return at, from
}
