package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/bits"
	"os"
	"slices"
)

// carving reads the rows of a database that is damaged: page by page, whatever leads to them, since the pages that do may be what is
// damaged. What of the rows is true their checksums tell. The format is https://sqlite.org/fileformat2.html.
type carving struct {
	file, wal *os.File
	// pages are those of the file.
	pages int64
	// later are the pages that stand in the log of writes, and where.
	later map[int64]int64
	// free are pages that are not in use; they may hold what was taken out.
	free map[int64]bool
}

const (
	// pageSize is that of every index: SQLite's default.
	pageSize = 4096
	// leafPage is the first byte of a page with rows of a table.
	leafPage = 0x0D
	// longestRow bounds what a row is taken to have; none of ours comes near.
	longestRow = 16 << 20
)

func carve(path string) (*carving, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	c := &carving{file: file, later: map[int64]int64{}}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	c.pages = (info.Size() + pageSize - 1) / pageSize
	if c.wal, err = os.Open(path + "-wal"); err == nil {
		c.readLater()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, file.Close())
	}
	c.readFree()
	return c, nil
}

func (c *carving) close() error {
	if c.wal == nil {
		return c.file.Close()
	}
	return errors.Join(c.file.Close(), c.wal.Close())
}

// readLater finds the pages of the log of writes: those that have its salt, of which the last one counts.
func (c *carving) readLater() {
	const head, frame = 32, 24
	var first [head]byte
	if _, err := c.wal.ReadAt(first[:], 0); err != nil {
		return
	}
	for at := int64(head); ; at += frame + pageSize {
		var h [frame]byte
		if _, err := c.wal.ReadAt(h[:], at); err != nil || [8]byte(h[8:16]) != [8]byte(first[16:24]) {
			return
		}
		c.later[int64(binary.BigEndian.Uint32(h[:]))] = at + frame
	}
}

// readFree finds the pages that are not in use. Where their list is damaged, none are known.
func (c *carving) readFree() {
	page := make([]byte, pageSize)
	if !c.page(1, page) {
		return
	}
	next, all := int64(binary.BigEndian.Uint32(page[32:])), int64(binary.BigEndian.Uint32(page[36:]))
	free := map[int64]bool{}
	for next != 0 {
		if free[next] || !c.page(next, page) {
			return
		}
		free[next] = true
		next = int64(binary.BigEndian.Uint32(page))
		n := min(int64(binary.BigEndian.Uint32(page[4:])), pageSize/4-2)
		for i := range n {
			free[int64(binary.BigEndian.Uint32(page[8+4*i:]))] = true
		}
	}
	if int64(len(free)) == all {
		c.free = free
	}
}

// page reads a page, the first being 1. What a file that was cut lacks of it is 0.
func (c *carving) page(n int64, into []byte) bool {
	file, at := c.file, (n-1)*pageSize
	if in, ok := c.later[n]; ok {
		file, at = c.wal, in
	} else if n < 1 || n > c.pages {
		return false
	}
	read, err := file.ReadAt(into, at)
	clear(into[read:])
	return err == nil || errors.Is(err, io.EOF) && read > 0
}

// version is that which the program gave the database, from both places that it stands in; 0 if it can't be told.
func (c *carving) version() (found, again int) {
	page := make([]byte, pageSize)
	if !c.page(1, page) || !bytes.HasPrefix(page, []byte("SQLite format 3\x00")) {
		return 0, 0
	}
	return int(int32(binary.BigEndian.Uint32(page[60:]))), int(int32(binary.BigEndian.Uint32(page[68:])))
}

// numbers are those of all pages, in order.
func (c *carving) numbers() iter.Seq[int64] {
	var beyond []int64 // what the log of writes adds to the file
	for n := range c.later {
		if n > c.pages {
			beyond = append(beyond, n)
		}
	}
	slices.Sort(beyond)
	return func(yield func(int64) bool) {
		for n := int64(1); n <= c.pages; n++ {
			if !yield(n) {
				return
			}
		}
		for _, n := range beyond {
			if !yield(n) {
				return
			}
		}
	}
}

// cell is where a row stands: a page, and where in it.
type cell struct{ page, at int64 }

// each calls f for everything that looks like a row, whatever table it is of. The payload is valid during the call.
func (c *carving) each(ctx context.Context, f func(at cell, id int64, payload []byte)) error {
	page := make([]byte, pageSize)
	for n := range c.numbers() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.free[n] || !c.page(n, page) {
			continue
		}
		head := int64(0)
		if n == 1 {
			head = 100
		}
		if bits.OnesCount8(page[head]^leafPage) > 1 { // one bit of it may have flipped, too
			continue
		}
		cells := min(int64(binary.BigEndian.Uint16(page[head+3:])), (pageSize-head-8)/2)
		for i := range cells {
			at := cell{n, int64(binary.BigEndian.Uint16(page[head+8+2*i:]))}
			if id, payload, ok := c.row(page, at.at); ok {
				f(at, id, payload)
			}
		}
	}
	return nil
}

// at reads the row that stands at a place.
func (c *carving) at(where cell) (id int64, payload []byte, err error) {
	page := make([]byte, pageSize)
	if c.page(where.page, page) {
		if id, payload, ok := c.row(page, where.at); ok {
			return id, payload, nil
		}
	}
	return 0, nil, fmt.Errorf("%w: page %d can't be read any more", errDamaged, where.page)
}

// row reads what stands at a place of a page, and on the pages that it flows over to.
func (c *carving) row(page []byte, at int64) (id int64, payload []byte, ok bool) {
	if at < 8 || at >= pageSize {
		return 0, nil, false
	}
	r := sqliteReader{page[at:]}
	size, id := r.varint(), r.varint()
	if size <= 0 || size > longestRow {
		return 0, nil, false
	}
	// How much of a row stands on its page is a rule of the format.
	const most, least = pageSize - 35, (pageSize-12)*32/255 - 23
	here := size
	if size > most {
		if here = least + (size-least)%(pageSize-4); here > most {
			here = least
		}
	}
	if int64(len(r.data)) < here {
		return 0, nil, false
	}
	if here == size {
		return id, r.data[:here], true
	}
	if int64(len(r.data)) < here+4 {
		return 0, nil, false
	}
	payload = append(make([]byte, 0, here+pageSize), r.data[:here]...)
	next := int64(binary.BigEndian.Uint32(r.data[here:]))
	more := make([]byte, pageSize)
	for int64(len(payload)) < size {
		if !c.page(next, more) {
			return 0, nil, false
		}
		next = int64(binary.BigEndian.Uint32(more))
		payload = append(payload, more[4:min(4+size-int64(len(payload)), pageSize)]...)
	}
	return id, payload, true
}
