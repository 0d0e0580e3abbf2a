package codex

import (
	"cmp"
	"strings"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// moment is one in what the model has seen: the number of the node that it saw last, 0 if it saw nothing, and the replacement of the
// compaction that this goes back to.
type moment struct {
	node  int
	parts []sources.Message
}

// push puts a node on the path. Of those in a row that nobody goes back to by what they say, the last stands for all: a long file has a
// million.
func (r *reader) push(n node) {
	if n.prev = int32(r.at.node); n.prev > 0 && n.plain() {
		if before := r.history.node(r.at.node); before.plain() {
			n.prev = before.prev
		}
	}
	r.at.node = r.history.add(n)
}

// rollback takes the last turns off the path, as Codex does: with more turns than there are, what stands before the first stays.
func (r *reader) rollback(turns int64, m sources.Meta) {
	cut, found := 0, false
	for i := r.at.node; i > 0 && turns > 0; {
		n := r.history.node(i)
		if i = int(n.prev); n.turn {
			cut, found = i, true
			turns--
		}
	}
	if found {
		r.goBack(moment{cut, r.at.parts}, m)
	}
}

// goBack continues from what the model had seen then.
func (r *reader) goBack(to moment, m sources.Meta) {
	r.at = to
	if to.node == 0 {
		r.log.Branch(sources.Branch{Meta: m})
	} else if n := r.history.node(to.node); n.part == 0 || int(n.part) == len(to.parts) {
		r.log.Branch(sources.Branch{Meta: m, From: n.seq})
	} else { // into what a compaction kept
		r.replace(to.parts[:n.part:n.part], sources.Compaction{Meta: m, Trigger: record.TriggerEdit, Summary: "Codex went back to before a message that a compaction had kept."})
	}
	r.told = sources.Model{}.Model
}

// replace writes a compaction after which the model sees these messages.
func (r *reader) replace(parts []sources.Message, c sources.Compaction) {
	c.Replacement, c.Trigger = parts, cmp.Or(c.Trigger, "unknown")
	active := r.model
	c.ActiveModel = &active
	seq := r.log.Compaction(c)
	r.at = moment{parts: parts}
	for i := range parts {
		n := node{seq: seq, part: int32(i + 1)}
		if text := plain(parts[i].Content); parts[i].Role == "user" {
			n.turn = !injected(text, "")
			n.injected = !n.turn && !strings.HasPrefix(text, summaryBegins)
		}
		r.push(n)
	}
}

func plain(blocks []sources.Block) string {
	var parts []string
	for _, b := range blocks {
		if b.Type == "text" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}
