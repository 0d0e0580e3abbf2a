// Package edge tells whether what stands before a place in a file is still what was there when the file was read up to it, so that
// only what was appended has to be read.
package edge

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// ErrShort says that a file ends before the place.
var ErrShort = errors.New("the file is shorter than it was")

const (
	// wholeMost is how much of a file is compared as a whole: that takes milliseconds.
	wholeMost = 16 << 20
	// Of more, the first and the last of it and windows at even distances are.
	windowBytes = 8 << 10
	windowsMost = 512
	// roomBytes is how much is read at once.
	roomBytes = 32 << 10
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Of is a checksum of what stands before a place: a file in which that is another text was written anew, or changed where it stands,
// whatever was appended to it.
//
// Of a large file it is of samples. An edit that changes how much text there is moves what follows, and so changes them. One that
// leaves everything in its place, is smaller than the distance of two windows and comes with something that is appended, or gives the file back
// its time, is not noticed until the file is read from its beginning again.
func Of(r io.ReaderAt, place int64) (uint32, error) {
	sum, room := uint32(0), make([]byte, min(place, roomBytes))
	take := func(from int64, piece []byte) error {
		n, err := r.ReadAt(piece, from)
		if n == len(piece) {
			sum = crc32.Update(sum, castagnoli, piece)
			return nil
		}
		if errors.Is(err, io.EOF) {
			err = ErrShort
		}
		return fmt.Errorf("looking at byte %d: %w", from, err)
	}
	if place <= wholeMost {
		for from := int64(0); from < place; from += roomBytes {
			if err := take(from, room[:min(roomBytes, place-from)]); err != nil {
				return 0, err
			}
		}
		return sum, nil
	}
	for i := range int64(windowsMost) {
		if err := take((place-windowBytes)*i/(windowsMost-1), room[:windowBytes]); err != nil {
			return 0, err
		}
	}
	return sum, nil
}
