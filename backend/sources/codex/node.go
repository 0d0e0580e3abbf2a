package codex

import (
	"encoding/json"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
)

// node is something that the model has seen, with what it saw before. Going back is going to an older one.
type node struct {
	// seq is the last record of it: what goes on from here branches from there.
	seq int64
	// prev is the number of the one before, 0 if there is none.
	prev int32
	// part is, from 1, which message of a compaction's replacement it is, whose seq is the compaction's; 0 for none.
	part int32
	// text is the number of what is remembered of it, 0 for nothing.
	text int32
	// turn tells that a turn begins here, a user message that Codex did not put in, and injected that Codex put it in.
	turn, injected bool
}

// plain tells of a node of which only its seq is ever asked.
func (n *node) plain() bool { return !n.turn && !n.injected && n.part == 0 }

// history is all that the model has seen, on the path or off it. Nodes and texts are numbered from 1.
type history struct {
	nodes many.List[node]
	texts many.Texts
	// before are the nodes that stood before the compactions that told the context, by the seqs of these.
	before map[int64]int
	// put is what Codex put in last, by how it begins: it does so again and again.
	put map[string]put
}

// put is what Codex put in, and the number of its text, which stands behind how it begins.
type put struct {
	content string
	text    int32
}

func (h *history) add(n node) int {
	h.nodes.Add(n)
	return h.nodes.Len()
}

func (h *history) node(i int) node { return h.nodes.At(i - 1) }

// textMost is how much of a text is remembered: what a compaction keeps of user messages is no longer.
const textMost = 80_000

func remembered(text string) string {
	if len(text) > textMost {
		return shorten(text, textMost)
	}
	return text
}

// said remembers what a turn says.
func (h *history) said(text string) int32 {
	h.texts.Add(remembered(text))
	return int32(h.texts.Len())
}

// injected remembers what Codex put in; if it is what it put in before, that.
func (h *history) injected(begins string, content []sources.Block) int32 {
	const most = 64
	all, _ := json.Marshal(content) // blocks can always be written
	before, known := h.put[begins]
	if known && before.content == string(all) {
		return before.text
	}
	if h.put == nil || len(h.put) >= most {
		h.put = map[string]put{}
	}
	h.texts.Add(begins)
	h.texts.Add(string(all))
	p := put{string(all), int32(h.texts.Len())}
	h.put[begins] = p
	return p.text
}

// textOf is what a node at a moment says, or how that begins if Codex put it in.
func (h *history) textOf(n *node, at moment) string {
	switch {
	case n.part > 0:
		return remembered(plain(at.parts[n.part-1].Content))
	case n.injected:
		return h.texts.At(int(n.text) - 2)
	case n.text > 0:
		return h.texts.At(int(n.text) - 1)
	}
	return ""
}

// contentOf is what Codex put in.
func (h *history) contentOf(n *node, at moment) (content []sources.Block) {
	if n.part > 0 {
		return at.parts[n.part-1].Content
	}
	var all []json.RawMessage
	_ = json.Unmarshal([]byte(h.texts.At(int(n.text)-1)), &all) // as it was written
	for _, raw := range all {
		var b sources.Block
		if _ = json.Unmarshal(raw, &b); b.Type != "text" && b.Type != "image" {
			b = sources.Block{Raw: raw}
		}
		content = append(content, b)
	}
	return content
}
