package index

import (
	"encoding/binary"
	"iter"
)

// The filters of full blocks are turned: a sheet has up to 504 of them as columns, so that what a hash says of all of them is one row
// of 63 bytes. 64 rows are a plane, which is what is read at a time; with its checksum it fills a page of the database.
const (
	width    = 504
	rowBytes = width / 8
	perPlane = 64
)

// planesOf turns filters of up to 1<<log bits, each plane with its number: one at a time, which holds until the next and is to be sealed
// yet, for all of them would take as much again as the filters do.
func planesOf(filters [][]byte, log uint8) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		var plane [perPlane * rowBytes]byte
		for n := range 1 << log / perPlane {
			for at := range rowBytes {
				var words [8]uint64 // 64 rows of eight filters
				for i, f := range filters[min(at*8, len(filters)):min(at*8+8, len(filters))] {
					words[i] = wordOf(f, n, log)
				}
				turnInto(plane[at:], &words)
			}
			if !yield(int64(n), plane[:]) {
				return
			}
		}
	}
}

// turnInto writes 64 rows of eight filters, a byte in each row.
func turnInto(rows []byte, words *[8]uint64) {
	for eight := range 8 {
		shift := eight * 8
		var square uint64 // eight rows, a filter in each byte
		for i, w := range words {
			square |= w >> shift & 0xFF << (i * 8)
		}
		square = turned(square)
		for r := range 8 {
			rows[(shift+r)*rowBytes] = byte(square >> (r * 8))
		}
	}
}

// wordOf is the nth 64 bits of a filter as it were with 1<<log bits: of a smaller one, each stands for several.
func wordOf(f []byte, n int, log uint8) uint64 {
	each := 1 << log / 8 / len(f)
	var eight [8]byte
	copy(eight[:], f[n*8/each:])
	word := binary.LittleEndian.Uint64(eight[:]) >> (n * 64 / each % 8)
	for ; each > 1; each /= 2 {
		word = doubled(word)
	}
	return word
}

// doubled has each of the lower 32 bits twice.
func doubled(x uint64) uint64 {
	x = (x&0xFFFFFFFF | x<<16) & 0x0000FFFF0000FFFF
	x = (x | x<<8) & 0x00FF00FF00FF00FF
	x = (x | x<<4) & 0x0F0F0F0F0F0F0F0F
	x = (x | x<<2) & 0x3333333333333333
	x = (x | x<<1) & 0x5555555555555555
	return x | x<<1
}

// turned makes rows of the columns of a square of eight by eight bits.
func turned(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00AA00AA00AA00AA
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000CCCC0000CCCC
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000F0F0F0F0
	return x ^ t ^ t<<28
}

// planeOf says in which plane of a sheet the row of a hash is, and where.
func planeOf(h uint32, log uint8) (plane int64, at int) {
	row := h >> (32 - log)
	return int64(row / perPlane), int(row%perPlane) * rowBytes
}

// planeID is the key of a plane in the database.
func planeID(sheet, plane int64) int64 { return sheet<<20 | plane }
