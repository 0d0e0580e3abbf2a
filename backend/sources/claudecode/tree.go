package claudecode

import (
	"palimpsest/backend/many"
	"palimpsest/backend/sources"
)

// spot is a place on a path.
type spot int32

// nowhere is the place before the first row.
const nowhere spot = -1

// node is what is remembered of a place: what stands before it, and the seq that others branch from.
type node struct {
	seq uint32
	// first is the first record of the row, which may have several.
	first uint32
	prev  spot
	kind  kind
}

// forest is all places, and those of rows by the number of their ids: 0 for a row that was not read yet, else the place and what is
// added to it. Unwritten has the same of parents that are not in the file: where what was said below them went on.
type forest struct {
	nodes     many.List[node]
	rows      many.List[int32]
	unwritten many.IDs
}

// added makes nowhere more than 0.
const added = 2

func (f *forest) node(at spot) node { return f.nodes.At(int(at)) }

// begins notes the first record of the row at a place.
func (f *forest) begins(at spot, first int64) {
	n := f.node(at)
	n.first = uint32(first)
	f.nodes.Set(int(at), n)
}

// find is the place of a row; not ok if there is none with this id yet.
func (r *reader) find(id string) (at spot, ok bool) {
	n, known := r.index.ids.Get(id)
	if !known || n >= r.rows.Len() || r.rows.At(n) == 0 {
		return nowhere, false
	}
	return spot(r.rows.At(n) - added), true
}

// placeOf is the place of a row, nowhere if there is none.
func (r *reader) placeOf(id string) spot {
	at, _ := r.find(id)
	return at
}

// stands notes the place of a row.
func (r *reader) stands(id string, at spot) {
	n, _ := r.index.number(id, span{})
	for r.rows.Len() <= n {
		r.rows.Add(0)
	}
	r.rows.Set(n, int32(at)+added)
}

type kind uint8

const (
	// aside is what stands between: notes, results of tools, bookkeeping. That other rows hang before it is no branch.
	aside kind = iota
	result
	answer
	// turn is what a person said, and a compaction: who goes on before it leaves it behind.
	turn
)

// attach says where a row goes on: at its parent or, if between that and the end of its thread there is nothing that makes a branch,
// at the end.
func (r *reader) attach(row row, parent string, known bool) spot {
	end, isResult := r.end, row.result
	to, written := r.find(parent)
	if !known || written && to == nowhere { // a root, or below one that says nothing: of the file, or of a conversation begun anew
		if !r.spoken(end) {
			return end
		}
		return nowhere
	}
	if !written {
		to = r.belowUnwritten(row, parent, end)
	}
	to = r.behind(to, isResult)
	for n := end; n != nowhere; n = r.node(n).prev {
		if n == to {
			return end
		}
		if kind := r.node(n).kind; kind == turn || kind == answer && !isResult {
			break
		}
	}
	return to
}

// belowUnwritten is where a row goes on whose parent was never written: where the file stands, as that is no branch that somebody left,
// unless a person says something there instead of what was said there before.
func (r *reader) belowUnwritten(row row, parent string, end spot) spot {
	if row.kind != "user" || row.result {
		return end
	}
	if before, again := r.unwritten.Get(parent); again {
		return spot(before - added)
	}
	r.unwritten.Put(parent, int(end)+added)
	return end
}

// spoken tells whether anything was said on a path.
func (f *forest) spoken(n spot) bool {
	for ; n != nowhere; n = f.node(n).prev {
		if f.node(n).kind != aside {
			return true
		}
	}
	return false
}

// goTo lets the log stand at a place.
func (r *reader) goTo(to spot, m sources.Meta) {
	if r.at == to {
		return
	}
	m.Entry += "/branch"
	b := sources.Branch{Meta: m}
	if to != nowhere {
		b.From = int64(r.node(to).seq)
	}
	r.log.Branch(b)
	r.at = to
}

// stand notes a record that was written for a row.
func (r *reader) stand(id string, seq int64, k kind) spot {
	r.nodes.Add(node{prev: r.at, seq: uint32(seq), first: uint32(seq), kind: k})
	r.at = spot(r.nodes.Len() - 1)
	r.end = r.at
	if id != "" {
		r.stands(id, r.at)
	}
	return r.at
}
