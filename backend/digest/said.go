package digest

import (
	"encoding/binary"
	"fmt"
	"strings"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
)

// Said names what was said once, so that it is known again in a copy, whatever that calls it: by when it was written, who wrote it and
// what it says. Where copies have other times, or there are none, what was said before stands for the time. What has a name that is the same in
// all copies is known by that, and in some by a further one: see alsoSaid.
type Said uint64

// saidBytes is how much of a name is kept: two of one family hardly ever have the same.
const saidBytes = 6

// Names are the names of several records.
type Names []byte

// short is a name as [Names] has it.
type short [saidBytes]byte

func shortOf(name Said) short {
	var all [8]byte
	binary.BigEndian.PutUint64(all[:], uint64(name))
	return short(all[8-saidBytes:])
}

// with are the names with more.
func (n Names) with(more *many.List[short]) Names {
	out := make(Names, len(n), len(n)+more.Len()*saidBytes)
	copy(out, n)
	for i := range more.Len() {
		name := more.At(i)
		out = append(out, name[:]...)
	}
	return out
}

// Len is how many there are.
func (n Names) Len() int { return len(n) / saidBytes }

// Each goes through the names in order.
func (n Names) Each(yield func(Said) bool) {
	for ; len(n) >= saidBytes; n = n[saidBytes:] {
		var all [8]byte
		copy(all[8-saidBytes:], n)
		if !yield(Said(binary.BigEndian.Uint64(all[:]))) {
			return
		}
	}
}

func (n Names) last() Said {
	for name := range n[max(0, len(n)-saidBytes):].Each {
		return name
	}
	return 0
}

// saidAfter names a record that stands behind another. Copies of its session have other times if anew.
func saidAfter(before Said, rec *record.Record, anew bool) Said {
	if same, _, _ := strings.Cut(sameOf(rec), record.SameAlso); same != "" {
		return saidOf(same)
	}
	at := uint64(before)
	if !anew && !rec.Time.IsZero() {
		at = uint64(rec.Time.UnixMilli()) //nolint:gosec // any number does
	}
	return saidAt(at, rec)
}

// alsoSaid are further names of a record that has one that is the same in copies. Some copies have other ids for what a person wrote, and for
// compactions: when it was said, and what, tells. Of an answer of which some rows were copied, the source tells.
func alsoSaid(rec *record.Record) (names []Said) {
	same, also, more := strings.Cut(sameOf(rec), record.SameAlso)
	switch {
	case same == "":
	case more:
		for name := range strings.SplitSeq(also, record.SameAlso) {
			names = append(names, saidOf(name))
		}
	case rec.Time.IsZero():
	case isAsked(rec):
		return []Said{saidAt(uint64(rec.Time.UnixMilli()), unended(rec))} //nolint:gosec // any number does
	}
	return names
}

// isAsked tells of what a person wrote, and of a compaction.
func isAsked(rec *record.Record) bool {
	return rec.Compaction != nil || rec.Message != nil && rec.Message.Role == record.RoleUser
}

// unended is a record as a copy may have it that ends in it: of a compaction what is known before there is a summary.
func unended(rec *record.Record) *record.Record {
	c := rec.Compaction
	if c == nil {
		return rec
	}
	return &record.Record{Compaction: &record.Compaction{Trigger: c.Trigger, TokensBefore: c.TokensBefore}}
}

func saidOf(same string) Said { return newSum64().add(same).name() }

func saidAt(at uint64, rec *record.Record) Said {
	var began [8]byte
	binary.BigEndian.PutUint64(began[:], at)
	name := newSum64().add(string(began[:]))
	if c := rec.Compaction; c != nil {
		name = name.add("compaction ").add(c.Summary)
		if c.Summary == "" { // two in the same moment are not one
			name = name.add(fmt.Sprint(c.Trigger, " ", c.TokensBefore))
		}
	}
	if m := rec.Message; m != nil {
		name = name.add(string(m.Role))
		for _, b := range m.Content {
			if b.Kind == record.BlockText {
				name = name.add(b.Text)
			}
		}
	}
	return name.name()
}

// sameOf is the name of a record that is the same in copies, if it has one.
func sameOf(rec *record.Record) string {
	switch {
	case rec.Message != nil:
		return rec.Message.Same
	case rec.Compaction != nil:
		return rec.Compaction.Same
	}
	return ""
}

// sum64 is FNV-1a of 64 bits, as [hash/fnv] has it, of texts that are not copied for that.
type sum64 uint64

func newSum64() sum64 { return 0xcbf29ce484222325 }

func (n sum64) add(text string) sum64 {
	const prime = 1<<40 + 0x1b3
	for i := range len(text) {
		n = (n ^ sum64(text[i])) * prime
	}
	return n
}

func (n sum64) name() Said { return Said(n >> (64 - 8*saidBytes)) }
