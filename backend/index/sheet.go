package index

import (
	"encoding/binary"
	"math/bits"
)

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
	for col, f := range filters {
		repeat := rows / (len(f) * 8)
		at, bit := col/8, byte(1)<<(col%8)
		for i := 0; i < len(f); i += 8 {
			for w := binary.LittleEndian.Uint64(f[i:]); w != 0; w &= w - 1 {
				row := (i*8 + bits.TrailingZeros64(w)) * repeat
				for r := range repeat {
					data[(row+r)*rowBytes+at] |= bit
				}
			}
		}
	}
	planes := make([][]byte, max(1, rows/perPlane))
	for i := range planes {
		planes[i] = data[i*perPlane*rowBytes : min(len(data), (i+1)*perPlane*rowBytes)]
	}
	return planes
}

// planeOf says in which plane of a sheet the row of a hash is, and where.
func planeOf(h uint32, log uint8) (plane int64, at int) {
	row := h >> (32 - log)
	return int64(row / perPlane), int(row%perPlane) * rowBytes
}

// planeID is the key of a plane in the database.
func planeID(sheet, plane int64) int64 { return sheet<<20 | plane }
