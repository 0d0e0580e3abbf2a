package index

import "encoding/binary"

// The filters of full blocks are turned: a sheet has up to 504 of them as columns, so that what a hash says of all of them is one row
// of 63 bytes. 64 rows are a plane, which is what is read at a time; with its checksum it fills a page of the database.
const (
	width    = 504
	rowBytes = width / 8
	perPlane = 64
)

// sheetOf turns filters of up to 1<<log bits. The planes are to be sealed yet.
func sheetOf(filters [][]byte, log uint8) [][]byte {
	rows := 1 << log
	data := make([]byte, rows*rowBytes)
	full := make([][]byte, (len(filters)+7)/8*8)
	for i, f := range filters {
		full[i] = sized(f, rows/8)
	}
	for i := len(filters); i < len(full); i++ {
		full[i] = make([]byte, rows/8)
	}
	for row := 0; row < rows; row += 64 {
		for at := range len(full) / 8 {
			var words [8]uint64 // 64 rows of eight filters
			for i := range words {
				words[i] = binary.LittleEndian.Uint64(full[at*8+i][row/8:])
			}
			turnInto(data[row*rowBytes+at:], &words)
		}
	}
	planes := make([][]byte, rows/perPlane)
	for i := range planes {
		planes[i] = data[i*perPlane*rowBytes : (i+1)*perPlane*rowBytes]
	}
	return planes
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

// sized is a filter as one of so many bytes would be, had it the same bits set and more: what a bit of it stands for.
func sized(f []byte, bytes int) []byte {
	for len(f) < bytes {
		twice := make([]byte, 0, 2*len(f))
		for _, b := range f {
			twice = append(twice, doubled[b&15], doubled[b>>4])
		}
		f = twice
	}
	return f
}

// doubled has each of four bits twice.
var doubled = [16]byte{0x00, 0x03, 0x0C, 0x0F, 0x30, 0x33, 0x3C, 0x3F, 0xC0, 0xC3, 0xCC, 0xCF, 0xF0, 0xF3, 0xFC, 0xFF}

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
