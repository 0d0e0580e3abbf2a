package codex

import (
	"cmp"
	"slices"
	"strings"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// node is what the model has seen last, with what it saw before. Going back is going to an older one.
type node struct {
	prev *node
	// seq is the last record of it: what goes on from here branches from there.
	seq int64
	// turn tells that a turn begins here: a user message that Codex did not put in. text is what it says, or how an injected one begins.
	turn bool
	text string
	// part is a message of a compaction's replacement, whose seq is the compaction's. whole tells that it is the last one of it.
	part  *sources.Message
	whole bool
	// injected is what Codex put in.
	injected []sources.Block
}

// plain tells of a node of which only its seq is ever asked.
func (n *node) plain() bool { return !n.turn && n.part == nil && n.text == "" && len(n.injected) == 0 }

// textMost is how much of a text is remembered: what a compaction keeps of user messages is no longer.
const textMost = 80_000

// textsMost is how much of all texts is: many times what a compaction keeps, as turns that were taken back count, too.
const textsMost = 4 << 20

// texts are what remembers of a long session only what may still be asked for.
type texts struct {
	// said are the turns whose text is remembered, the oldest first, and size is how long those are.
	said []*node
	size int
	// put is what Codex put in last, by how it begins: it does so again and again.
	put map[string][]sources.Block
}

// add remembers what a turn says, and forgets what the oldest ones say.
func (t *texts) add(turn *node) {
	t.said, t.size = append(t.said, turn), t.size+len(turn.text)
	for t.size > textsMost {
		t.size -= len(t.said[0].text)
		t.said[0].text, t.said = "", t.said[1:]
	}
}

// same is what Codex put in; if it is what it put in before, that.
func (t *texts) same(begins string, content []sources.Block) []sources.Block {
	if before, known := t.put[begins]; known && len(before) == len(content) && plain(before) == plain(content) {
		return before
	}
	if t.put == nil {
		t.put = map[string][]sources.Block{}
	}
	t.put[begins] = content
	return content
}

// push puts a node on the path. Of those in a row that nobody goes back to by what they say, the last stands for all: a long file has a
// million.
func (r *reader) push(n node) {
	n.prev = r.at
	if n.prev != nil && n.plain() && n.prev.plain() {
		n.prev = n.prev.prev
	}
	if len(n.text) > textMost {
		n.text = shorten(n.text, textMost)
	}
	r.at = &n
}

// rollback takes the last turns off the path, as Codex does: with more turns than there are, what stands before the first stays.
func (r *reader) rollback(turns int64, m sources.Meta) {
	cut := (*node)(nil)
	for n := r.at; n != nil && turns > 0; n = n.prev {
		if n.turn {
			cut = n
			turns--
		}
	}
	if cut == nil {
		return
	}
	r.goBack(cut.prev, m)
}

// goBack continues from what the model had seen then.
func (r *reader) goBack(to *node, m sources.Meta) {
	r.at = to
	switch {
	case to == nil:
		r.log.Branch(sources.Branch{Meta: m})
	case to.part == nil || to.whole:
		r.log.Branch(sources.Branch{Meta: m, From: to.seq})
	default: // into what a compaction kept
		r.replace(r.parts(), sources.Compaction{Meta: m, Trigger: record.TriggerEdit, Summary: "Codex went back to before a message that a compaction had kept."})
	}
	r.told = sources.Model{}.Model
}

// parts are the messages of the replacement that the path stands in.
func (r *reader) parts() []sources.Message {
	var parts []sources.Message
	for n := r.at; n != nil && n.part != nil; n = n.prev {
		parts = append(parts, *n.part)
	}
	slices.Reverse(parts)
	return parts
}

// replace writes a compaction after which the model sees these messages.
func (r *reader) replace(parts []sources.Message, c sources.Compaction) {
	c.Replacement, c.Trigger = parts, cmp.Or(c.Trigger, "unknown")
	active := r.model
	c.ActiveModel = &active
	seq := r.log.Compaction(c)
	r.at = nil
	for i := range parts {
		text := plain(parts[i].Content)
		r.push(node{
			seq: seq, part: &parts[i], whole: i == len(parts)-1, text: text, turn: parts[i].Role == "user" && !injected(text, ""),
		})
		if parts[i].Role == "user" && injected(text, "") && !strings.HasPrefix(text, summaryBegins) {
			r.at.injected = parts[i].Content
		}
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
