package pi

import (
	"palimpsest/backend/many"
	"palimpsest/backend/record"
)

// entry is what is remembered of one: enough to find its way, and to read it again.
type entry struct {
	shared
	parent int
	// first and last are the seqs of its records.
	first, last int64
	// kept is the entry that a compaction keeps from, none if it keeps nothing.
	kept int
	// target is the id of what a context_edit edits.
	target string
	offset int64
	length int64
}

// shared is what many entries have in common.
type shared struct {
	kind, role string
	// model and effort are in force behind it.
	model, provider, effort string
	// snapshot tells that a compaction brings a system message.
	snapshot bool
}

func (s shared) inForce() record.Model {
	return record.Model{Provider: s.provider, Model: s.model, ReasoningEffort: s.effort}
}

// rare is what few entries have.
type rare struct {
	kept   int
	target string
}

// known is all entries, the older ones first. A file of a GB has a million of them.
type known struct {
	entries many.List[packed]
	looks   many.Few[shared]
	rare    map[int]rare
	ids     many.IDs
}

// packed is an entry in few bytes.
type packed struct {
	// place is the offset, and how many records were written.
	place         uint64
	length, first uint32
	parent        int32
	look          uint32
}

const (
	countBits = 16
	countMost = 1<<countBits - 1
)

func (k *known) len() int { return k.entries.Len() }

// find is the newest entry with an id.
func (k *known) find(id string) (at int, ok bool) { return k.ids.Get(id) }

func (k *known) add(e entry, id string) (at int) {
	at = k.entries.Len()
	k.entries.Add(packed{
		place: uint64(e.offset) << countBits, length: uint32(e.length), parent: int32(e.parent), look: k.looks.Number(e.shared),
	})
	if e.kept != none || e.target != "" {
		k.rare[at] = rare{e.kept, e.target}
	}
	k.ids.Put(id, at)
	return at
}

// wrote notes the records of an entry, which are few.
func (k *known) wrote(at int, first, last int64) {
	p := k.entries.At(at)
	p.first = uint32(first)
	p.place |= uint64(last-first+1) & countMost
	k.entries.Set(at, p)
}

func (k *known) at(i int) entry {
	p := k.entries.At(i)
	e := entry{
		shared: k.looks.Value(p.look), parent: int(p.parent), first: int64(p.first), kept: none,
		offset: int64(p.place >> countBits), length: int64(p.length),
	}
	if e.first > 0 {
		e.last = e.first + int64(p.place&countMost) - 1
	}
	if e.kind == "compaction" || e.kind == "context_edit" {
		if more, ok := k.rare[i]; ok {
			e.kept, e.target = more.kept, more.target
		}
	}
	return e
}

func (k *known) parent(i int) int { return int(k.entries.At(i).parent) }

func (k *known) kind(i int) string { return k.looks.Value(k.entries.At(i).look).kind }

func (k *known) role(i int) string { return k.looks.Value(k.entries.At(i).look).role }
