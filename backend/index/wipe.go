package index

import (
	"context"
	"encoding/binary"
	"fmt"
)

// A database that overwrites what it deletes does so where that stood last. But where it moves rows between pages, to have them equally full,
// it leaves copies in what is free of a page, and forgets them there. The format is https://sqlite.org/fileformat2.html.

// wipe overwrites what is free in the pages of the tables and indexes that have texts, names or ids. Planes are left out: each row of theirs
// fills a page, and none is ever moved.
func wipe(ctx context.Context, tx *prepared) error {
	var roots []int64
	err := eachPair(ctx, tx, "SELECT rootpage, 0 FROM sqlite_schema WHERE rootpage > 0 AND name <> 'planes'", func(root, _ int64) { roots = append(roots, root) })
	if err != nil {
		return err
	}
	for len(roots) > 0 {
		n := roots[len(roots)-1]
		page, err := tx.blob(ctx, "SELECT data FROM sqlite_dbpage WHERE pgno = ?", n)
		if err != nil {
			return err
		}
		p, ok := partsOf(page)
		if !ok {
			return fmt.Errorf("page %d: %w", n, errDamaged)
		}
		roots = append(roots[:len(roots)-1], p.below...)
		if isZero(p.free) {
			continue
		}
		clear(p.free)
		if err := tx.exec(ctx, "UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?", page, n); err != nil {
			return err
		}
	}
	return nil
}

// parts are what is free of a page, between the places of its rows and the rows, and the pages below it.
type parts struct {
	free  []byte
	below []int64
}

// Kinds of pages with others below them, and with none.
const (
	indexAbove, tableAbove = 0x02, 0x05
	indexLeaf, tableLeaf   = 0x0A, leafPage
)

// partsOf are the parts of any page but the first.
func partsOf(page []byte) (p parts, ok bool) {
	const short, long = 8, 12
	if len(page) != pageSize {
		return p, false
	}
	head, above := short, false
	switch page[0] {
	case indexAbove, tableAbove:
		head, above = long, true
	case indexLeaf, tableLeaf:
	default:
		return p, false
	}
	rows := int(binary.BigEndian.Uint16(page[3:]))
	from, to := head+2*rows, int(binary.BigEndian.Uint16(page[5:]))
	if from > to || to > len(page) {
		return p, false
	}
	p.free = page[from:to]
	if !above {
		return p, true
	}
	p.below = append(p.below, int64(binary.BigEndian.Uint32(page[short:])))
	for i := range rows {
		at := int(binary.BigEndian.Uint16(page[head+2*i:]))
		if at+4 > len(page) {
			return p, false
		}
		p.below = append(p.below, int64(binary.BigEndian.Uint32(page[at:])))
	}
	return p, true
}

func isZero(data []byte) bool {
	for _, b := range data {
		if b != 0 {
			return false
		}
	}
	return true
}
