package codex

import (
	"cmp"
	"strings"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// moment is one in what the model has seen: the number of the node that it saw last, 0 if it saw nothing, and the replacement of the
// compaction that this goes back to, nil behind one that was taken back.
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

// rollback takes the last turns off the path, as Codex does: with more turns than there are, what stands before the first stays. A compaction
// that tells the context is of the turn that it stands in, and goes with it: what it replaced is there again.
func (r *reader) rollback(turns int64, m sources.Meta) {
	to, found := r.at, false
	for i, parts := r.at.node, r.at.parts; i > 0 && turns > 0; {
		n := r.history.node(i)
		if before, told := r.history.before[n.seq]; told && n.part > 0 {
			i, parts = before, nil
			continue
		}
		if i = int(n.prev); n.turn {
			to, found = moment{i, parts}, true
			turns--
		}
	}
	if found {
		to.node = r.unprepared(to.node)
		r.goBack(to, m)
	}
}

// unprepared is where the path stood before what Codex put in for a turn that is taken off it. What it put in for the first stays.
func (r *reader) unprepared(at int) int {
	to := at
	for to > 0 && r.history.node(to).injected {
		to = int(r.history.node(to).prev)
	}
	for i := to; i > 0; i = int(r.history.node(i).prev) {
		if r.history.node(i).turn {
			return to
		}
	}
	return at
}

// goBack continues from what the model had seen then.
func (r *reader) goBack(to moment, m sources.Meta) {
	r.at = to
	if to.node == 0 {
		r.log.Branch(sources.Branch{Meta: m})
	} else if n := r.history.node(to.node); n.part == 0 || int(n.part) >= len(to.parts) {
		r.log.Branch(sources.Branch{Meta: m, From: n.seq})
	} else { // into what a compaction kept
		r.replace(to.parts[:n.part:n.part], sources.Compaction{Meta: m, Trigger: record.TriggerEdit, Summary: "Codex went back to before a message that a compaction had kept."})
	}
	r.told = sources.Model{}.Model
}

// replace writes a compaction after which the model sees these messages, and returns its seq.
func (r *reader) replace(parts []sources.Message, c sources.Compaction) int64 {
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
	return seq
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
