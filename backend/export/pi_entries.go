package export

import (
	"fmt"
	"strconv"
	"strings"

	"palimpsest/backend/many"
)

// none is no entry.
const none = -1

// entries are those that were written, in the order of the file, and what has to be known of each. They have no pointers and no texts: a
// session may have a million.
type entries struct{ all many.List[written] }

// written is an entry: the record that it is of, 0 for none, and which of that record's entries it is.
type written struct {
	seq  int64
	part part
	// parent is the entry before it, and replaced the nearest one, itself or before it, that a compaction put in the place of others.
	parent, replaced int32
	// said is what the model gets of it, as [saidBy] has it.
	said uint64
}

// part tells the entries of one record apart: from 0 on they are counted.
type part int32

const (
	wholePart  part = -1
	effortPart part = -2
)

// add writes one down behind another, and returns it.
func (e *entries) add(seq int64, p part, parent int) int {
	one := written{seq: seq, part: p, parent: int32(parent), replaced: none}
	if parent != none {
		one.replaced = e.all.At(parent).replaced
	}
	e.all.Add(one)
	return e.all.Len() - 1
}

// replace tells that a compaction put it in the place of others.
func (e *entries) replace(i int) {
	one := e.all.At(i)
	one.replaced = int32(i)
	e.all.Set(i, one)
}

// holds tells whether the way to an entry goes over another one, if that is not far back.
func (e *entries) holds(at, other int) bool {
	const far = 1 << 12
	for n := 0; at > other && n < far; n++ {
		at = int(e.all.At(at).parent)
	}
	return at == other
}

// says tells what the model gets of an entry.
func (e *entries) says(i int, said uint64) {
	one := e.all.At(i)
	one.said = said
	e.all.Set(i, one)
}

func (e *entries) at(i int) written { return e.all.At(i) }

// id is what pi knows an entry by.
func (e *entries) id(i int) string {
	one := e.all.At(i)
	return idOf(one.seq, one.part)
}

// idOf is the id of an entry. Without a record it is the one that the name stands in.
func idOf(seq int64, p part) string {
	switch {
	case seq == 0:
		return "name"
	case p == wholePart:
		return fmt.Sprintf("%08x", seq)
	case p == effortPart:
		return fmt.Sprintf("%08x-effort", seq)
	}
	return fmt.Sprintf("%08x-%d", seq, p)
}

// toolNames are the names of the tools that calls were made of, by the ids of these.
type toolNames struct {
	calls many.IDs
	names many.Few[string]
}

func (t *toolNames) put(call, name string) {
	t.calls.Put(call, int(t.names.Number(strings.Clone(name))))
}

func (t *toolNames) of(call string) string {
	n, known := t.calls.Get(call)
	if !known {
		return ""
	}
	return t.names.Value(uint32(n))
}

// resultSizes are the sizes of results in tokens, by the seqs of their records.
type resultSizes struct{ sizes many.IDs }

func (r *resultSizes) put(seq int64, size int) { r.sizes.Put(strconv.FormatInt(seq, 10), size) }

func (r *resultSizes) of(seq int64) (size int, ok bool) {
	return r.sizes.Get(strconv.FormatInt(seq, 10))
}
