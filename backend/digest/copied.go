package digest

import (
	"encoding/binary"
	"encoding/json"
	"slices"

	"github.com/klauspost/compress/s2"
)

// Copy is what is counted of one record that was copied from another session, or that others may have copied.
type Copy struct {
	// Said is 0 where the digest has the names by themselves.
	Said Said `json:"k,omitempty"`
	// Loose tells that its name is none that is the same in all copies.
	Loose bool `json:"x,omitempty"`
	// Also tells that it is a further name of the next one, and counts nothing.
	Also bool `json:"also,omitempty"`
	// Behind tells that such a name is of what stands before, and not of when it was said.
	Behind bool `json:"b,omitempty"`
	Day
}

// Copies are several, packed: who resumed sessions for years, with an agent that copies what it goes on from, has millions, of a few hundred
// bytes each. It is blocks, each with its length before it, of JSON that is compressed.
type Copies []byte

// copiesBlock is how many copies are packed together.
var copiesBlock = 256

// blockMost is how long a block is at most, in bytes: they are a few hundred for each copy.
const blockMost = 64 << 20

// Each goes through the copies in order, as far as they can be read.
func (c Copies) Each(yield func(Copy) bool) {
	for len(c) > 0 {
		length, n := binary.Uvarint(c)
		if n <= 0 || length > uint64(len(c)-n) {
			return
		}
		var block []Copy
		packed := c[n : n+int(length)]
		if size, err := s2.DecodedLen(packed); err != nil || size > blockMost {
			return
		}
		text, err := s2.Decode(nil, packed)
		if err != nil || json.Unmarshal(text, &block) != nil {
			return
		}
		for i := range block {
			if !yield(block[i]) {
				return
			}
		}
		c = c[n+int(length):]
	}
}

// last is the name of the last copy, 0 if there is none.
func (c Copies) last() (name Said) {
	for one := range c.Each {
		name = one.Said
	}
	return name
}

// copier packs copies.
type copier struct {
	packed Copies
	// open are those that are not packed yet; answered tells that an answer came.
	open     []Copy
	answered bool
	// early takes blocks that don't change any more, nil if they stay.
	early func(block []byte)
}

// copierOn is one that goes on behind copies. The last block is opened again if there is room in it: who goes on often adds few each time.
func copierOn(c Copies) copier {
	whole, last := c.cut()
	return copier{packed: slices.Clone(whole), open: last, answered: c.answered()}
}

// answered tells whether an answer came: then the first has a model, too.
func (c Copies) answered() bool {
	for first := range c.Each {
		return first.Model != ""
	}
	return false
}

// add puts one at the end, which is counted in what it returns until there is another.
func (c *copier) add(name Said) *Day {
	c.settle()
	if len(c.open) >= copiesBlock {
		c.pack()
	}
	c.open = append(c.open, Copy{Said: name})
	return &c.open[len(c.open)-1].Day
}

// loosen notes whether the name of the last one is none that is the same in all copies.
func (c *copier) loosen(loose bool) { c.open[len(c.open)-1].Loose = loose }

// also puts a further name of the next one at the end.
func (c *copier) also(name Said, behind bool) {
	c.add(name)
	one := &c.open[len(c.open)-1]
	one.Also, one.Behind = true, behind
}

// cut takes off the last block if it is not full.
func (c Copies) cut() (whole Copies, last []Copy) {
	at := 0
	for next := 0; next < len(c); {
		length, n := binary.Uvarint(c[next:])
		if n <= 0 || length > uint64(len(c)-next-n) {
			return c, nil
		}
		at, next = next, next+n+int(length)
	}
	if last = slices.Collect(c[at:].Each); len(last) >= copiesBlock {
		return c, nil
	}
	return c[:at], last
}

// settle gives what came before the first answer to its model, once that has come.
func (c *copier) settle() {
	if c.answered || len(c.open) == 0 || c.open[len(c.open)-1].Model == "" {
		return
	}
	model, open, before := c.open[len(c.open)-1].Model, c.open, c.packed
	*c = copier{answered: true, early: c.early}
	put := func(one Copy) {
		if len(c.open) >= copiesBlock {
			c.pack()
		}
		one.Model = model
		c.open = append(c.open, one)
	}
	for one := range before.Each {
		put(one)
	}
	for _, one := range open {
		put(one)
	}
}

// pack makes a block of those that are open. What an answer may still change stays.
func (c *copier) pack() {
	block := c.block()
	if c.early != nil && c.answered {
		c.early(block)
		return
	}
	c.packed = append(c.packed, block...)
}

func (c *copier) block() []byte {
	text, err := json.Marshal(c.open)
	if err != nil { // numbers that are finite always can be encoded
		panic("digest: " + err.Error())
	}
	packed := s2.Encode(nil, text)
	clear(c.open)
	c.open = c.open[:0]
	return append(binary.AppendUvarint(nil, uint64(len(packed))), packed...)
}

// all are the copies, but for those that were put away.
func (c *copier) all() Copies {
	c.settle()
	if len(c.open) > 0 {
		c.packed = append(c.packed, c.block()...)
	}
	return c.packed
}

// first is the first block of copies, or all of what is none.
func (c Copies) first() Copies {
	length, n := binary.Uvarint(c)
	if n <= 0 || length > uint64(len(c)-n) {
		return c
	}
	return c[:n+int(length)]
}
