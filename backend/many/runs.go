package many

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"os"
	"sort"
)

// run is ids with their numbers in a file, in the order of their keys. What it says of one is newer than what runs before it say.
type run struct {
	file  *os.File
	count int
	// fences are the first keys of its pages.
	fences []key
}

const (
	// slotBytes is what one takes in the file: its key and its number.
	slotBytes = 20
	// pageSlots is how many are read at once to find one, some 4 kB.
	pageSlots = 204
	// buffer is how much of one is read or written at once.
	buffer = 64 << 10
)

// runOf writes one; not ok if there is no room for it.
func runOf(slots iter.Seq[slot]) (r run, ok bool) {
	file, err := newFile()
	if err != nil {
		return run{}, false
	}
	r.file = file
	out := bufio.NewWriterSize(file, buffer)
	var text []byte
	for s := range slots {
		if r.count%pageSlots == 0 {
			r.fences = append(r.fences, s.key)
		}
		text = s.appendTo(text[:0])
		_, _ = out.Write(text) // Flush tells of it
		r.count++
	}
	if out.Flush() != nil {
		_ = file.Close() // nobody wants it
		return run{}, false
	}
	return r, true
}

// find is the number of a key.
func (r *run) find(k key) (n int32, ok bool) {
	page := sort.Search(len(r.fences), func(i int) bool { return r.fences[i].compare(k) > 0 }) - 1
	if page < 0 {
		return 0, false
	}
	var room [pageSlots * slotBytes]byte
	text := room[:min(pageSlots, r.count-page*pageSlots)*slotBytes]
	if _, err := r.file.ReadAt(text, int64(page)*pageSlots*slotBytes); err != nil {
		panic(fmt.Sprintf("many: reading ids again: %v", err))
	}
	wanted := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(make([]byte, 0, slotBytes), k.high), k.low)
	at := sort.Search(len(text)/slotBytes, func(i int) bool {
		return bytes.Compare(text[i*slotBytes:][:len(wanted)], wanted) >= 0
	})
	if s := text[at*slotBytes:]; bytes.HasPrefix(s, wanted) {
		return int32(binary.BigEndian.Uint32(s[len(wanted):])), true
	}
	return 0, false
}

// appendTo writes one as it stands in a file.
func (s slot) appendTo(text []byte) []byte {
	text = binary.BigEndian.AppendUint64(text, s.high)
	text = binary.BigEndian.AppendUint64(text, s.low)
	return binary.BigEndian.AppendUint32(text, uint32(s.number))
}

func slotOf(text []byte) slot {
	return slot{key{binary.BigEndian.Uint64(text), binary.BigEndian.Uint64(text[8:])}, int32(binary.BigEndian.Uint32(text[16:]))}
}

// cursor goes through a run. It stands at a slot, of no key behind the last one.
type cursor struct {
	slot
	in   *bufio.Reader
	left int
}

func (r *run) cursor() *cursor {
	c := &cursor{in: bufio.NewReaderSize(io.NewSectionReader(r.file, 0, int64(r.count)*slotBytes), buffer), left: r.count}
	c.next()
	return c
}

func (c *cursor) next() {
	if c.left == 0 {
		c.slot = slot{}
		return
	}
	c.left--
	text, err := c.in.Peek(slotBytes)
	if err != nil {
		panic(fmt.Sprintf("many: reading ids again: %v", err))
	}
	c.slot = slotOf(text)
	_, _ = c.in.Discard(slotBytes) // they are there
}

// merged are the ids of both; of one that both have, what the newer says.
func merged(older, newer *run) iter.Seq[slot] {
	return func(yield func(slot) bool) {
		a, b := older.cursor(), newer.cursor()
		for a.key != (key{}) || b.key != (key{}) {
			least := a
			switch order := a.compare(b.key); {
			case a.key == (key{}), b.key != (key{}) && order > 0:
				least = b
			case order == 0:
				a.next()
				least = b
			}
			if !yield(least.slot) {
				return
			}
			least.next()
		}
	}
}
