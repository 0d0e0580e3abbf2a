package index

import (
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/s2"
)

// bodyMost bounds what a block is when it is read; none comes near.
const bodyMost = 64 << 20

// base is what the numbers in a block count from. Blocks are made before a transaction gives out numbers, so that nobody waits
// for the making.
type base struct{ session, write, n int64 }

// on moves what is known of a block to the base.
func (b base) on(a *about) {
	for i := range a.parts {
		p := &a.parts[i]
		p.session, p.write = p.session+b.session, p.write+b.write
		p.first, p.last = p.first+b.n, p.last+b.n
	}
	if a.split {
		a.long = textID{a.long.session + b.session, a.long.write + b.write, a.long.n + b.n}
	}
}

// bodyOf is what is stored of a block, in a buffer that may be used again.
func bodyOf(data []byte, id int64, b base, packed []byte) []byte {
	for _, v := range []int64{b.session, b.write, b.n} {
		data = binary.AppendVarint(data, v)
	}
	return seal(id, append(data, packed...))
}

// unpack reads what is stored of a block.
func unpack(id int64, body []byte) ([]chunk, error) {
	data, err := unseal(id, body)
	if err != nil {
		return nil, fmt.Errorf("block %d: %w", id, err)
	}
	r := reader{data: data}
	b := base{r.varint(), r.varint(), r.varint()}
	size, err := s2.DecodedLen(r.data)
	if err != nil || size > bodyMost {
		return nil, fmt.Errorf("block %d: %w", id, errDamaged)
	}
	raw, err := s2.Decode(nil, r.data)
	if err != nil {
		return nil, fmt.Errorf("block %d: %w: %w", id, errDamaged, err)
	}
	chunks, err := readBlock(raw)
	if err != nil {
		return nil, fmt.Errorf("block %d: %w", id, err)
	}
	for i := range chunks {
		c := &chunks[i]
		c.session, c.write, c.n = c.session+b.session, c.write+b.write, c.n+b.n
	}
	return chunks, nil
}
