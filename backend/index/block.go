package index

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"time"
)

// chunk is a text in a block, or a piece of one that is too long for a block.
type chunk struct {
	session int64 // the number of the session's row
	write   int64 // of the Append that brought it, if that was a large one
	n       int64 // which text of the session it is
	seq     int64
	line    int
	part    int
	time    time.Time
	scope   Scope
	tool    string
	piece   int  // which piece of the text, from 0
	more    bool // another piece follows
	over    int  // so many bytes at the end are also the beginning of the next piece
	text    []byte
}

// split says that the chunk is not a whole text.
func (c *chunk) split() bool { return c.piece > 0 || c.more }

// partBit is the first bit of the part in a place.
const partBit = 32

// place is the line and the part as one number: the line itself where there is no part, as in blocks written before there were parts.
func (c *chunk) place() int64 {
	if c.part == 0 {
		return int64(c.line)
	}
	return int64(c.part)<<partBit | int64(c.line)
}

func placed(place int64) (line, part int) {
	if place < 0 {
		return int(place), 0
	}
	return int(place & (1<<partBit - 1)), int(place >> partBit)
}

var errDamaged = errors.New("the index is damaged")

const (
	flagScope = 0x07
	flagTime  = 0x08
	flagTool  = 0x10
	flagSplit = 0x20
	flagMore  = 0x40
)

// appendHead writes what is said of chunks before their texts, as differences from the chunk before.
func appendHead(dst []byte, chunks []chunk) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(chunks)))
	var last chunk
	var lastTime int64
	for i := range chunks {
		c := &chunks[i]
		flags := byte(c.scope) & flagScope
		for _, f := range []struct {
			is   bool
			flag byte
		}{{!c.time.IsZero(), flagTime}, {c.tool != "", flagTool}, {c.split(), flagSplit}, {c.more, flagMore}} {
			if f.is {
				flags |= f.flag
			}
		}
		dst = append(dst, flags)
		for _, d := range []int64{c.session - last.session, c.write - last.write, c.n - last.n, c.seq - last.seq, c.place() - last.place()} {
			dst = binary.AppendVarint(dst, d)
		}
		if flags&flagTime != 0 {
			at := nanos(c.time)
			dst = binary.AppendVarint(dst, at-lastTime)
			lastTime = at
		}
		if flags&flagTool != 0 {
			dst = binary.AppendUvarint(dst, uint64(len(c.tool)))
			dst = append(dst, c.tool...)
		}
		if flags&flagSplit != 0 {
			dst = binary.AppendUvarint(dst, uint64(c.piece))
			dst = binary.AppendUvarint(dst, uint64(c.over))
		}
		dst = binary.AppendUvarint(dst, uint64(len(c.text)))
		last = *c
	}
	return dst
}

// readBlock reads a block as it was before it was compressed. The texts are part of data.
func readBlock(data []byte) ([]chunk, error) {
	r := reader{data: data}
	n := r.uvarint()
	if n > uint64(len(data)) {
		return nil, errDamaged
	}
	chunks := make([]chunk, n)
	sizes := make([]int, n)
	var last chunk
	var lastTime int64
	for i := range chunks {
		c := &chunks[i]
		flags := r.byte()
		c.scope = Scope(flags & flagScope)
		c.session = last.session + r.varint()
		c.write = last.write + r.varint()
		c.n = last.n + r.varint()
		c.seq = last.seq + r.varint()
		c.line, c.part = placed(last.place() + r.varint())
		if flags&flagTime != 0 {
			lastTime += r.varint()
			c.time = time.Unix(0, lastTime).UTC()
		}
		if flags&flagTool != 0 {
			c.tool = string(r.bytes(r.uvarint()))
		}
		if flags&flagSplit != 0 {
			c.piece, c.over = int(r.uvarint()), int(r.uvarint())
			c.more = flags&flagMore != 0
		}
		sizes[i] = int(r.uvarint())
		last = *c
	}
	for i := range chunks {
		chunks[i].text = r.bytes(uint64(sizes[i]))
		if chunks[i].over > len(chunks[i].text) || int(chunks[i].scope) >= len(ranks) {
			return nil, errDamaged
		}
	}
	if r.bad || len(r.data) > 0 {
		return nil, errDamaged
	}
	return chunks, nil
}

// reader reads numbers, and remembers that it could not.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.data)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *reader) byte() byte {
	b := r.bytes(1)
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.data)) {
		r.fail()
		return nil
	}
	b := r.data[:n:n]
	r.data = r.data[n:]
	return b
}

func (r *reader) fail() { r.bad, r.data = true, nil }

// Blobs end with a checksum that also covers the row they belong to: a bit that flipped must not hide a text.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(id int64, data []byte) uint32 {
	var row [8]byte
	binary.LittleEndian.PutUint64(row[:], uint64(id))
	return crc32.Update(crc32.Checksum(row[:], castagnoli), castagnoli, data)
}

func seal(id int64, data []byte) []byte {
	return binary.LittleEndian.AppendUint32(data, checksum(id, data))
}

func unseal(id int64, data []byte) ([]byte, error) {
	n := len(data) - 4
	if n < 0 || checksum(id, data[:n]) != binary.LittleEndian.Uint32(data[n:]) {
		return nil, errDamaged
	}
	return data[:n], nil
}
