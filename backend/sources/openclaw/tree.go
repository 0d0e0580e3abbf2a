package openclaw

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// none is no entry: before the first.
const none = -1

// node is what is remembered of an entry. A file may have a million of them.
type node struct {
	// id is the number of its id.
	id int32
	// parent is the entry before it or, if it stands for one, that: a leaf does, and one of a type nobody knows, which are no part of the
	// conversation.
	parent int32
	stands bool
	// first and last are the seqs of its records.
	first, last uint32
	// reset is the newest reset on its path, itself included.
	reset int32
}

// tree follows where a conversation goes on, by OpenClaw's rules: it goes on at the leaf, which is the entry written last unless a
// leaf entry moved it; entries set aside do not move it; and nothing goes back behind a reset.
type tree struct {
	nodes many.List[node]
	// ids are numbered, and newest are the entries that have them: of an id that occurs twice, the last.
	ids    many.IDs
	newest many.List[int32]
	// leaf is where the conversation goes on, cursor the id that the next entry is expected to follow, empty for none.
	leaf   int
	cursor string
	// reset is the newest.
	reset int
}

func newTree() tree { return tree{leaf: none, reset: none} }

func (t *tree) node(i int) node { return t.nodes.At(i) }

// wrote notes the seqs of the records of an entry.
func (t *tree) wrote(i int, first, last int64) {
	n := t.node(i)
	n.first, n.last = uint32(first), uint32(last)
	t.nodes.Set(i, n)
}

// number is that of an id, the same for all that have it.
func (t *tree) number(id string) int {
	n, known := t.ids.Get(id)
	if !known {
		n = t.ids.Len()
		t.ids.Put(id, n)
		t.newest.Add(none)
	}
	return n
}

// canonical tells whether entries of this type are part of the conversation.
func canonical(kind string) bool {
	switch kind {
	case "message", "thinking_level_change", "model_change", "compaction", "reset", "branch_summary", "custom", "custom_message", "label", "session_info":
		return true
	}
	return false
}

// find is the entry with this id, or the one that it stands for.
func (t *tree) find(id string) (at int, known bool) {
	at = none
	if n, known := t.ids.Get(id); known {
		at = int(t.newest.At(n))
	}
	if known = at != none; !known {
		return 0, false
	}
	for at != none && t.node(at).stands {
		at = int(t.node(at).parent) // always an earlier one
	}
	return at, true
}

// parentOf is the entry that one follows.
func (t *tree) parentOf(rec gjson.Result) int {
	parent := rec.Get("parentId")
	side := rec.Get("appendMode").Str == "side"
	id := jsonl.Text(parent)
	at, known := t.find(id)
	switch {
	case !parent.Exists(), id != "" && !known && !side, id == t.cursor && !side:
		at = t.leaf
	case id == "" || !known:
		at = none
	}
	if !side && t.reset != none && (at == none || int(t.node(at).reset) != t.reset) {
		at = t.leaf
	}
	return at
}

// add puts an entry of the conversation where it belongs.
func (t *tree) add(rec gjson.Result) int {
	at, parent, reset := t.nodes.Len(), t.parentOf(rec), none
	if parent != none {
		reset = int(t.node(parent).reset)
	}
	if rec.Get("type").Str == "reset" {
		reset, t.reset = at, at
	}
	t.put(rec, node{parent: int32(parent), reset: int32(reset)})
	if rec.Get("appendMode").Str != "side" {
		t.leaf = at
	}
	return at
}

func (t *tree) put(rec gjson.Result, n node) {
	id := jsonl.Text(rec.Get("id"))
	number := t.number(id)
	if id != "" {
		t.newest.Set(number, int32(t.nodes.Len()))
		t.cursor = id
	}
	n.id = int32(number)
	t.nodes.Add(n)
}

// move follows a leaf entry. One that points to nothing, or behind a reset, moves nothing; nor does one after which nothing can follow.
func (t *tree) move(rec gjson.Result) {
	stands := t.leaf
	target, next := rec.Get("targetId"), rec.Get("appendParentId")
	at, known := t.find(jsonl.Text(target))
	if target.Type == gjson.Null && target.Exists() {
		at, known = none, true
	}
	if next.Type != gjson.Null {
		_, follows := t.find(jsonl.Text(next))
		known = known && follows
	}
	if !known {
		var is bool
		if stands, is = t.find(jsonl.Text(rec.Get("parentId"))); !is {
			stands = none
		}
	}
	if known && (t.reset == none || at != none && int(t.node(at).reset) == t.reset) {
		t.leaf, stands = at, at
	}
	cursor := t.cursor
	t.put(rec, node{parent: int32(stands), reset: none, stands: true})
	switch t.cursor = cursor; {
	case known && next.Exists():
		t.cursor = jsonl.Text(next)
	case known:
		t.cursor = jsonl.Text(target)
	}
}

// pass puts an entry that is no part of the conversation; what follows it follows what it follows.
func (t *tree) pass(rec gjson.Result) {
	if !rec.Get("parentId").Exists() {
		return // nothing follows it
	}
	t.put(rec, node{parent: int32(t.parentOf(rec)), reset: none, stands: true})
}

// parent is the entry before one of the conversation; one that stands for another is on no path.
func (t *tree) parent(at int) int {
	if t.node(at).stands {
		return none
	}
	return int(t.node(at).parent)
}

// onPath tells whether an entry is on the way to another.
func (t *tree) onPath(at, to int) bool {
	for to > at {
		to = t.parent(to)
	}
	return to == at && at != none
}

// turn lets the log go on at an entry, if it does not stand there.
func (r *reader) turn(to int, m sources.Meta) {
	if to == r.last {
		return
	}
	b := sources.Branch{Meta: m}
	if to != none {
		b.From = int64(r.tree.node(to).last)
	}
	r.log.Branch(b)
	r.last = to
}
