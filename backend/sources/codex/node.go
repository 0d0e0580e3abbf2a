package codex

import (
	"encoding/json"
	"strings"
	"unsafe"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/siphash"
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
	// stack are the compactions that the log has in force at its record, under those that it stands under here: what was taken back since is in
	// the one and not in the other.
	stack, under int32
	// turns is how many turns begin up to it.
	turns int32
	marks
	// said is what a person said, injected what Codex put in, and last the last message of a replacement. Cut tells of another one that the log
	// has a record of that ends with it, under which it stands.
	said, injected, last, cut bool
}

// plain tells of a node of which only its record is ever asked.
func (n *node) plain() bool {
	return n.part == 0 && *n == node{seq: n.seq, prev: n.prev, stack: n.stack, under: n.under, turns: n.turns}
}

// history is all that the model has seen, on the path or off it. Nodes, texts and what else stands in lists are numbered from 1.
type history struct {
	nodes many.List[node]
	texts many.Texts
	// steps are what was done to the context, each with the one before.
	steps many.List[step]
	spans many.List[turnSpan]
	// tolds are the compactions that told the context, sums those that did not, and stack all as the log has them.
	tolds many.List[told]
	sums  many.List[sum]
	stack many.List[inForce]
	// put is what Codex put in last, by how it begins: it does so again and again.
	put map[string]put
	// parts are the messages of replacements that are remembered, which hold most of what the ones before did.
	parts many.IDs
	// room is where one of them is put together.
	room []byte
	// lines is how many there were, spent what was looked at again of what they said; see [history.affords].
	lines, spent int64
	// by is the key of the sums that turns are called by.
	by siphash.Key
}

// put is what Codex put in, and the number of its text, which stands behind how it begins.
type put struct {
	content string
	text    int32
}

// onto puts a node behind another. Of those in a row that nobody goes back to by what they say, the last stands for all: a long file has a
// million.
func (h *history) onto(at int32, n node) int32 {
	n.prev, n.turns = at, h.turnsAt(at)
	if at > 0 && n.plain() {
		if before := h.node(at); before.plain() && before.under == n.under {
			n.prev = before.prev
		}
	}
	if n.turn {
		n.turns++
	}
	h.nodes.Add(n)
	return int32(h.nodes.Len())
}

func (h *history) node(i int32) node { return h.nodes.At(int(i) - 1) }

// turnsAt is how many turns begin up to a node.
func (h *history) turnsAt(i int32) int32 {
	if i == 0 {
		return 0
	}
	return h.node(i).turns
}

// textMost is how much of a text is remembered: what a compaction keeps of user messages is no longer.
const textMost = 80_000

func remembered(text string) string {
	if len(text) > textMost {
		return shorten(text, textMost)
	}
	return text
}

// say remembers a text.
func (h *history) say(text string) int32 {
	h.texts.Add(text)
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
	h.say(begins)
	p := put{string(all), h.say(string(all))}
	h.put[begins] = p
	return p.text
}

// part is a message of a replacement as it is remembered, before its content, which is the most of it.
type part struct {
	Role       record.Role `json:"role"`
	ToolCallID string      `json:"call,omitempty"`
	IsError    bool        `json:"failed,omitempty"`
	Model      string      `json:"model,omitempty"`
	Provider   string      `json:"provider,omitempty"`
}

// keep remembers a message of a replacement, behind what it says; if there was such a one, that.
func (h *history) keep(m *sources.Message) int32 {
	head, _ := json.Marshal(part{Role: m.Role, ToolCallID: m.ToolCallID, IsError: m.IsError, Model: m.Model, Provider: m.Provider}) // texts can always be written
	h.room = append(append(h.room[:0], head...), '[')
	for i := range m.Content {
		if i > 0 {
			h.room = append(h.room, ',')
		}
		h.room = m.Content[i].AppendJSON(h.room)
	}
	h.room = append(h.room, ']')
	all := unsafe.String(unsafe.SliceData(h.room), len(h.room)) // of which nothing is held
	n, known := h.parts.Get(all)
	if !known {
		h.say(remembered(plain(m.Content)))
		n = int(h.say(all))
		h.parts.Put(all, n)
	}
	return int32(n)
}

// message is the message of a replacement.
func (h *history) message(n *node) (m sources.Message) {
	var p part
	var content []json.RawMessage
	written := json.NewDecoder(strings.NewReader(h.texts.At(int(n.text) - 1)))
	_, _ = written.Decode(&p), written.Decode(&content) // as it was written
	return sources.Message{
		Role: p.Role, Content: blocksOf(content), ToolCallID: p.ToolCallID, IsError: p.IsError, Model: p.Model, Provider: p.Provider,
	}
}

// textOf is what a node says, or how that begins if Codex put it in outside of a replacement.
func (h *history) textOf(n *node) string {
	switch {
	case n.part > 0, n.injected:
		return h.texts.At(int(n.text) - 2)
	case n.text > 0:
		return h.texts.At(int(n.text) - 1)
	}
	return ""
}

// contentOf is what Codex put in.
func (h *history) contentOf(n *node) []sources.Block {
	if n.part > 0 {
		return h.message(n).Content
	}
	var all []json.RawMessage
	_ = json.Unmarshal([]byte(h.texts.At(int(n.text)-1)), &all) // as it was written
	return blocksOf(all)
}

func blocksOf(all []json.RawMessage) (content []sources.Block) {
	for _, raw := range all {
		var b sources.Block
		switch _ = json.Unmarshal(raw, &b); b.Type {
		case "text", "thinking", "toolCall", "image":
		default:
			b = sources.Block{Raw: raw}
		}
		content = append(content, b)
	}
	return content
}
