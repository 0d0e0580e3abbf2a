package claudecode

import (
	"palimpsest/backend/sources"
)

// node is a place on a path: what stands before it, and the seq that others branch from.
type node struct {
	prev *node
	seq  int64
	// first is the first record of the row, which may have several.
	first int64
	kind  kind
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
func (r *reader) attach(parent string, known bool, isResult bool, beside bool) *node {
	end := r.end
	if beside {
		end = r.side
	}
	to := r.rows[parent]
	if !known { // a root: of the file, of a subagent, or of a conversation begun anew
		if beside || end == nil || !spoken(end) {
			return rootOf(end, beside)
		}
		return nil
	}
	if to == nil { // its parent was never written; that is no branch that somebody left, so it goes on where the file stands
		return rootOf(end, beside)
	}
	for n := end; n != nil; n = n.prev {
		if n == to {
			return end
		}
		if n.kind == turn || n.kind == answer && !isResult {
			break
		}
	}
	return to
}

// rootOf is where a row goes on that has no parent in the file: the conversation where it stands, a subagent by itself.
func rootOf(end *node, beside bool) *node {
	if beside {
		return nil
	}
	return end
}

// spoken tells whether anything was said on a path.
func spoken(n *node) bool {
	for ; n != nil; n = n.prev {
		if n.kind != aside {
			return true
		}
	}
	return false
}

// goTo lets the log stand at a place.
func (r *reader) goTo(to *node, m sources.Meta) {
	if r.at == to {
		return
	}
	m.Entry += "/branch"
	b := sources.Branch{Meta: m}
	if to != nil {
		b.From = to.seq
	}
	r.log.Branch(b)
	r.at = to
}

// stand notes a record that was written for a row.
func (r *reader) stand(id string, seq int64, k kind, beside bool) *node {
	n := &node{prev: r.at, seq: seq, first: seq, kind: k}
	r.at = n
	if beside {
		r.side = n
	} else {
		r.end = n
	}
	if id != "" {
		r.rows[id] = n
	}
	return n
}
