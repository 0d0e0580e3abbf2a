package index

import (
	"encoding/binary"
	"iter"
	"math/bits"
)

// The filters of full blocks are turned: a sheet has up to 504 of them as columns, so that what a hash says of all of them is one row
// of 63 bytes. 64 rows are a plane, which is what is read at a time; with its checksum it fills a page of the database.
const (
	width    = 504
	rowBytes = width / 8
	perPlane = 64
)

// planesOf turns filters of up to 1<<log bits, each plane with its number: one at a time, which holds until the next and is to be sealed
// yet, for all of them would take as much again as the filters do. Some are made together, so that what the processor fetches of a filter
// is used whole: filters lie so that their lines are in each other's way.
func planesOf(filters [][]byte, log uint8) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		var planes [atOnce][perPlane * rowBytes]byte
		for from := 0; from < 1<<log/perPlane; from += atOnce {
			for at := range rowBytes {
				var words [atOnce][8]uint64 // of each plane 64 rows of eight filters
				for i, f := range filters[min(at*8, len(filters)):min(at*8+8, len(filters))] {
					for n := range words {
						words[n][i] = wordOf(f, from+n, log)
					}
				}
				for n := range words {
					turnInto(planes[n][at:], &words[n])
				}
			}
			for n := range planes {
				if !yield(int64(from+n), planes[n][:]) {
					return
				}
			}
		}
	}
}

// atOnce is how many planes are made at a time: as many as a line of the processor's cache has words, and the smallest filter.
const atOnce = 8

// turnInto writes 64 rows of eight filters, a byte in each row.
func turnInto(rows []byte, words *[8]uint64) {
	squares := *words // eight rows each once it is shuffled, a filter in each byte
	shuffle(&squares)
	for eight, square := range squares {
		square = turned(square)
		to := rows[eight*8*rowBytes:]
		_ = to[7*rowBytes]
		for r := range 8 {
			to[r*rowBytes] = byte(square >> (r * 8))
		}
	}
}

// shuffle makes the nth word of the nth bytes of all eight.
func shuffle(words *[8]uint64) {
	for i := range 4 {
		exchange(&words[i], &words[i+4], 32, 0x00000000FFFFFFFF)
	}
	for _, i := range [...]int{0, 1, 4, 5} {
		exchange(&words[i], &words[i+2], 16, 0x0000FFFF0000FFFF)
	}
	for i := range 4 {
		exchange(&words[2*i], &words[2*i+1], 8, 0x00FF00FF00FF00FF)
	}
}

// exchange exchanges the upper parts of one word with the lower ones of another.
func exchange(one, other *uint64, by int, lower uint64) {
	t := (*one>>by ^ *other) & lower
	*other ^= t
	*one ^= t << by
}

// wordOf is the nth 64 bits of a filter as it were with 1<<log bits: of a smaller one, each stands for several.
func wordOf(f []byte, n int, log uint8) uint64 {
	times := int(log) - 3 - bits.TrailingZeros(uint(len(f))) // that it is doubled
	at := n * 8 >> times
	var word uint64
	if at+8 <= len(f) {
		word = binary.LittleEndian.Uint64(f[at:])
	} else {
		var eight [8]byte
		copy(eight[:], f[at:])
		word = binary.LittleEndian.Uint64(eight[:])
	}
	word >>= n * 64 >> times & 7
	for range times {
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
