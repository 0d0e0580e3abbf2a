package claudecode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What is remembered of the subagents in a file are notes: one with numbers that are so of all, three of each call that has started none yet, and
// these of each subagent.
const (
	callNotes = 3
	sideNotes = 9
)

// Notes is as [jsonl.Along] has it.
func (l *sidesLook) Notes() []string {
	notes := []string{fmt.Sprint(l.own, l.last, len(l.calls))}
	for _, call := range l.calls {
		notes = append(notes, strconv.FormatUint(call.asked, 16), call.id, call.title)
	}
	for i := range l.all {
		s := &l.all[i]
		notes = append(notes, s.numbers(), s.name, s.session, s.call, s.title, s.prompt, s.cwd, s.version, s.model)
	}
	return notes
}

// numbers are all that is remembered of one in numbers.
func (s *side) numbers() string {
	warmup := 0
	if s.warmup {
		warmup = 1
	}
	line := fmt.Append(nil, s.from, s.to, s.rows, s.bytes, s.sum, warmup, nanoseconds(s.began), nanoseconds(s.ended), s.asked, s.first, len(s.heads), len(s.adopted))
	return withNumbers(line, s.heads, s.adopted, s.others)
}

// withNumbers is a line with more numbers.
func withNumbers(line []byte, more ...[]uint64) string {
	for _, number := range slices.Concat(more...) {
		line = strconv.AppendUint(append(line, ' '), number, 10)
	}
	return string(line)
}

func nanoseconds(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixNano()
}

// sidesOf is what was remembered; nothing if it was not. What reads on needs what it knows of rows: that is known if more is told.
func sidesOf(name string, notes []string, more bool) *sidesLook {
	l := newSidesLook(name)
	if len(notes) == 0 {
		return l
	}
	own, last, calls := int64(-1), 0, 0
	_, _ = fmt.Sscan(notes[0], &own, &last, &calls) // as Notes wrote it
	l.own, l.last, notes = own, last, notes[1:]
	for ; calls > 0 && len(notes) >= callNotes; calls-- {
		asked, _ := strconv.ParseUint(notes[0], 16, 64)
		l.calls, notes = append(l.calls, task{asked, notes[1], notes[2]}), notes[callNotes:]
	}
	l.all = make([]side, 0, len(notes)/sideNotes)
	for ; len(notes) >= sideNotes; notes = notes[sideNotes:] {
		s := side{name: notes[1], session: notes[2], call: notes[3], title: notes[4], prompt: notes[5], cwd: notes[6], version: notes[7], model: notes[8]}
		s.readNumbers(notes[0])
		l.all = append(l.all, s)
	}
	if more {
		l.part = true
		for i := range l.all {
			s := &l.all[i]
			for _, number := range slices.Concat(s.heads, s.adopted, []uint64{s.first}) {
				l.of.Put(keyOf(number), i)
			}
		}
	}
	return l
}

func (s *side) readNumbers(line string) {
	next := func() (n uint64) {
		word, rest, _ := strings.Cut(line, " ")
		n, _ = strconv.ParseUint(word, 10, 64)
		line = rest
		return n
	}
	signed := func() int64 {
		word, rest, _ := strings.Cut(line, " ")
		n, _ := strconv.ParseInt(word, 10, 64)
		line = rest
		return n
	}
	s.from, s.to, s.rows, s.bytes, s.sum, s.warmup = signed(), signed(), signed(), signed(), uint32(next()), next() == 1
	for _, at := range []*time.Time{&s.began, &s.ended} {
		if n := signed(); n != 0 {
			*at = time.Unix(0, n).UTC()
		}
	}
	s.asked, s.first = next(), next()
	heads, adopted := next(), next()
	for i := uint64(0); line != ""; i++ {
		list := &s.others
		if i < heads {
			list = &s.heads
		} else if i < heads+adopted {
			list = &s.adopted
		}
		*list = append(*list, next())
	}
}
