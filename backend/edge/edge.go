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
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Of is a checksum of what stands before a place: a file in which that is another text was written anew, or changed where it stands,
// whatever was appended to it.
//
// Of a large file it is of samples. An edit that changes how much text there is moves what follows, and so changes them. One that
// leaves everything in its place, is smaller than the distance of two windows and comes with something that is appended, or gives the file back
// its time, is not noticed until the file is read from its beginning again.
func Of(r io.ReaderAt, place int64) (uint32, error) {
	hash := crc32.New(castagnoli)
	take := func(from, n int64) error {
		copied, err := io.Copy(hash, io.NewSectionReader(r, from, n))
		if err == nil && copied != n {
			err = ErrShort
		}
		if err != nil {
			return fmt.Errorf("looking at byte %d: %w", from, err)
		}
		return nil
	}
	if place <= wholeMost {
		err := take(0, place)
		return hash.Sum32(), err
	}
	for i := range int64(windowsMost) {
		if err := take((place-windowBytes)*i/(windowsMost-1), windowBytes); err != nil {
			return 0, err
		}
	}
	return hash.Sum32(), nil
}
