package openclaw

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// none is no entry: before the first.
const none = -1

// node is an entry in the tree.
type node struct {
	id     string
	parent int
	// target is the entry that one stands for which is no part of the conversation: a leaf, or one of a type nobody knows.
	target int
	stands bool
	// first and last are the seqs of its records.
	first, last int64
	// reset is the newest reset on its path, itself included.
	reset int
}

// tree follows where a conversation goes on, by OpenClaw's rules: it goes on at the leaf, which is the entry written last unless a
// leaf entry moved it; entries set aside do not move it; and nothing goes back behind a reset.
type tree struct {
	nodes []node
	byID  map[string]int
	// leaf is where the conversation goes on, cursor the id that the next entry is expected to follow.
	leaf   int
	cursor string
	// reset is the newest.
	reset int
}

func newTree() tree { return tree{byID: map[string]int{}, leaf: none, reset: none} }

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
	at, known = t.byID[id]
	for known && at != none && t.nodes[at].stands {
		at = t.nodes[at].target // always an earlier one
	}
	return at, known
}

// parentOf is the entry that one follows.
func (t *tree) parentOf(rec gjson.Result) int {
	parent := rec.Get("parentId")
	side := rec.Get("appendMode").Str == "side"
	id := jsonl.Text(parent)
	at, known := t.find(id)
	switch {
	case !parent.Exists(), id != "" && !known && !side:
		at = t.leaf
	case id == "" || !known:
		at = none
	case !side && id == t.cursor && t.leaf != at:
		at = t.leaf
	}
	if !side && t.reset != none && (at == none || t.nodes[at].reset != t.reset) {
		at = t.leaf
	}
	return at
}

// add puts an entry of the conversation where it belongs.
func (t *tree) add(rec gjson.Result) int {
	n := node{id: jsonl.Text(rec.Get("id")), parent: t.parentOf(rec), reset: none}
	at := len(t.nodes)
	if n.parent != none {
		n.reset = t.nodes[n.parent].reset
	}
	if rec.Get("type").Str == "reset" {
		n.reset, t.reset = at, at
	}
	t.put(n)
	if rec.Get("appendMode").Str != "side" {
		t.leaf = at
	}
	return at
}

func (t *tree) put(n node) {
	if n.id != "" {
		t.byID[n.id] = len(t.nodes)
		t.cursor = n.id
	}
	t.nodes = append(t.nodes, n)
}

// move follows a leaf entry. One that points to nothing, or behind a reset, moves nothing.
func (t *tree) move(rec gjson.Result) {
	n := node{id: jsonl.Text(rec.Get("id")), parent: none, reset: none, stands: true, target: t.leaf}
	target := rec.Get("targetId")
	at, known := t.find(jsonl.Text(target))
	switch {
	case target.Type == gjson.Null && target.Exists():
		at, known = none, true
	case !known:
		n.target, _ = t.find(jsonl.Text(rec.Get("parentId")))
		if _, is := t.byID[jsonl.Text(rec.Get("parentId"))]; !is {
			n.target = none
		}
	}
	if known && (t.reset == none || at != none && t.nodes[at].reset == t.reset) {
		t.leaf, n.target = at, at
	}
	t.put(n)
	if next := jsonl.Text(rec.Get("appendParentId")); next != "" && known {
		t.cursor = next
	} else if known {
		t.cursor = jsonl.Text(target)
	}
}

// pass puts an entry that is no part of the conversation; what follows it follows what it follows.
func (t *tree) pass(rec gjson.Result) {
	t.put(node{id: jsonl.Text(rec.Get("id")), parent: none, reset: none, stands: true, target: t.parentOf(rec)})
}

// onPath tells whether an entry is on the way to another.
func (t *tree) onPath(at, to int) bool {
	for to > at {
		to = t.nodes[to].parent
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
		b.From = r.tree.nodes[to].last
	}
	r.log.Branch(b)
	r.last = to
}
