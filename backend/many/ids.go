package many

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
)

// IDs has a number for each of many ids: a map of strings in a fifth of the memory. An id takes its bytes, half of them if it is written
// in hexadecimal, and some fifteen more. The zero value is empty. It is for one goroutine.
type IDs struct {
	seed maphash.Seed
	// ids are one after the other, each with its number before it.
	ids [][]byte
	// tags and places are the table that finds them: a byte of the hash, 0 for an empty place, and where the id stands, in words.
	tags   []uint8
	places []uint32
	count  int
	packed []byte
}

const (
	// chunk is how many bytes of ids stand together. What is packed is shorter.
	chunk = 64 << 10
	// word is what places count, so that there are places enough for more ids than there is memory for.
	word = 2
	// first is the size of the smallest table. It is doubled when seven of eight places are taken.
	first    = 16
	fullOf   = 8
	fullFrom = 7
)

// Len is how many ids there are.
func (m *IDs) Len() int { return m.count }

// Get is the number of an id.
func (m *IDs) Get(id string) (n int, ok bool) {
	if m.count == 0 {
		return 0, false
	}
	m.packed = pack(m.packed[:0], id)
	slot, found := m.find(m.packed, m.hash(m.packed))
	if !found {
		return 0, false
	}
	return int(int32(binary.LittleEndian.Uint32(m.at(m.places[slot])))), true
}

// Put gives an id a number, which is one of 32 bits, in place of the one that it has.
func (m *IDs) Put(id string, n int) {
	if m.count*fullOf >= len(m.tags)*fullFrom {
		m.grow()
	}
	m.packed = pack(m.packed[:0], id)
	h := m.hash(m.packed)
	slot, found := m.find(m.packed, h)
	if !found {
		m.tags[slot], m.places[slot] = tagOf(h), m.keep(m.packed)
		m.count++
	}
	binary.LittleEndian.PutUint32(m.at(m.places[slot]), uint32(n))
}

// Clear forgets all ids. A small table stays, for those who clear often.
func (m *IDs) Clear() {
	const most = 1 << 10
	if len(m.tags) > most {
		*m = IDs{packed: m.packed}
		return
	}
	clear(m.tags)
	m.count = 0
	if len(m.ids) > 0 {
		m.ids = append(m.ids[:0], m.ids[0][:0])
	}
}

func (m *IDs) hash(packed []byte) uint64 { return maphash.Bytes(m.seed, packed) }

// tagOf is a byte of a hash that is not 0.
func tagOf(h uint64) uint8 {
	const top = 56
	return uint8(h>>top) | 1
}

// find is where an id stands in the table, or where it would.
func (m *IDs) find(packed []byte, h uint64) (slot int, found bool) {
	mask, tag := len(m.tags)-1, tagOf(h)
	for slot = int(h) & mask; m.tags[slot] != 0; slot = (slot + 1) & mask {
		if m.tags[slot] == tag && bytes.Equal(m.idAt(m.places[slot]), packed) {
			return slot, true
		}
	}
	return slot, false
}

// at is what stands at a place: the number, and the id.
func (m *IDs) at(place uint32) []byte {
	const words = chunk / word
	return m.ids[place/words][place%words*word:]
}

// number is how many bytes the number before an id takes.
const number = 4

// idAt is the packed id at a place.
func (m *IDs) idAt(place uint32) []byte {
	text := m.at(place)[number:]
	return text[:packedLen(text)]
}

// keep puts an id behind the others, with room for its number.
func (m *IDs) keep(packed []byte) (place uint32) {
	switch n := len(m.ids); {
	case n == 0:
		m.ids = append(m.ids, nil) // most files have few
	case len(m.ids[n-1])+number+len(packed)+word > chunk:
		m.ids = append(m.ids, make([]byte, 0, chunk))
	}
	last := &m.ids[len(m.ids)-1]
	place = uint32((len(m.ids)-1)*(chunk/word) + len(*last)/word)
	text := append(append(*last, make([]byte, number)...), packed...)
	if len(text)%word != 0 {
		text = append(text, 0)
	}
	*last = text
	return place
}

// grow doubles the table.
func (m *IDs) grow() {
	if m.tags == nil {
		m.seed = maphash.MakeSeed()
	}
	before := m.places
	taken := m.tags
	size := max(2*len(taken), first)
	m.tags, m.places = make([]uint8, size), make([]uint32, size)
	for i, tag := range taken {
		if tag == 0 {
			continue
		}
		slot := int(m.hash(m.idAt(before[i]))) & (size - 1)
		for m.tags[slot] != 0 {
			slot = (slot + 1) & (size - 1)
		}
		m.tags[slot], m.places[slot] = tag, before[i]
	}
}
