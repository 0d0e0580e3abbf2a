package index

import (
	"bytes"
	"unicode/utf8"

	"github.com/klauspost/compress/s2"
)

// shape is how large things are. Tests make them small.
type shape struct {
	block   int   // bytes of text
	overlap int   // of the pieces of a long text
	log     uint8 // the size of a full filter, as a power of two
	columns int   // blocks of a sheet
	small   int   // so many blocks that are not full are joined
	memory  int   // bytes of finished blocks that wait to be written
}

var usual = shape{block: 64 << 10, overlap: 1 << 10, log: logMost, columns: width, small: 64, memory: 4 << 20}

// block is a finished one. Its id is given when it is written.
type block struct {
	about
	bits []byte
	body []byte
	full bool
}

// builder packs chunks into blocks. One that has more than its share of different text is closed early, so that its filter goes
// on saying something.
type builder struct {
	shape
	chunks  []chunk
	text    int // bytes in chunks
	checked int // bytes when the filter was last looked at
	filter  *filter
	folded  []byte
	raw     []byte
	body    []byte
	out     []block
	ready   int // bytes in out
}

func newBuilder(s shape) *builder { return &builder{shape: s, filter: newFilter(s.log)} }

// reset forgets what an earlier user left.
func (b *builder) reset() {
	clear(b.chunks)
	b.chunks, b.text, b.checked, b.out, b.ready = b.chunks[:0], 0, 0, nil, 0
	b.filter.clear()
}

// add takes a whole text, which must be composed, in pieces if it is long.
func (b *builder) add(c chunk) {
	if len(c.text) <= b.block {
		b.put(c)
		return
	}
	text := c.text
	size := (len(text) + (len(text)-1)/b.block) / ((len(text)-1)/b.block + 1)
	for at := 0; at < len(text); c.piece++ {
		end := border(text, at+size)
		upto := border(text, end+b.overlap)
		c.more, c.over, c.text = end < len(text), upto-end, text[at:upto]
		b.put(c)
		at = end
	}
}

// border is the end of the character that a place is in, or the place itself between two.
func border(text []byte, at int) int {
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return min(at, len(text))
}

// put takes a text or a piece. A piece that is not the last is alone, and the last is the first of its block.
func (b *builder) put(c chunk) {
	if c.split() || b.text*2 > b.block && b.text+len(c.text) > b.block+b.block/8 {
		b.flush()
	}
	b.chunks = append(b.chunks, c)
	b.text += len(c.text)
	b.folded, _ = appendFolded(b.folded[:0], c.text)
	b.filter.add(b.folded)
	if c.tool != "" {
		b.filter.addTool(c.tool)
	}
	if c.more || b.full() {
		b.flush()
	}
}

// full says that the block is to be closed.
func (b *builder) full() bool {
	if b.text >= b.block {
		return true
	}
	if b.text-b.checked < b.block/16 {
		return false
	}
	b.checked = b.text
	return b.filter.count()*4 > 1<<b.log
}

// flush closes the block.
func (b *builder) flush() {
	if len(b.chunks) == 0 {
		return
	}
	b.raw = appendHead(b.raw[:0], b.chunks)
	for i := range b.chunks {
		b.raw = append(b.raw, b.chunks[i].text...)
	}
	b.body = s2.Encode(b.body[:cap(b.body)], b.raw)
	done := block{about: aboutOf(b.chunks), bits: b.filter.packed(), body: bytes.Clone(b.body)}
	done.full = b.text*2 >= b.block || done.split || len(done.bits)*8 == 1<<b.log
	b.out = append(b.out, done)
	b.ready += len(done.bits) + len(done.body)
	clear(b.chunks)
	b.chunks, b.text, b.checked = b.chunks[:0], 0, 0
	b.filter.clear()
}

// take hands over the blocks that are finished.
func (b *builder) take() []block {
	out := b.out
	b.out, b.ready = nil, 0
	return out
}
