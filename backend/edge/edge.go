// Package edge tells whether what stands before a place in a file is still what was there when the file was read up to it, so that
// only what was appended has to be read.
package edge

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
)

// ErrShort says that a file ends before the place.
var ErrShort = errors.New("the file is shorter than it was")

const (
	// wholeMost is how much of a file is compared as a whole: that takes milliseconds.
	wholeMost = 16 << 20
	// Of more, windows at even distances are, and the last of it.
	windowBytes = 8 << 10
	windowsMost = 1 << 10
	// someWindows is how many are compared where only some are: of a small file, all.
	someWindows = 32
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Of is a checksum of what stands before a place: a file in which that is another text was written anew, or changed where it stands,
// whatever was appended to it.
//
// Of a large file it is of samples. An edit that changes how much text there is moves what follows, and so changes them. One that
// leaves everything in its place, is smaller than the distance of two windows and comes with something that is appended, or gives the file back
// its time, is not noticed until the file is read from its beginning again.
func Of(r io.ReaderAt, place int64) (uint32, error) {
	s, err := Sum{}.On(r, place)
	if err != nil {
		return 0, err
	}
	return s.Value(), nil
}

// Sum is what is known of what stands before a place, so that it can be told at a later one without what stands before.
type Sum struct {
	place int64
	// windows are checksums of what stands at even distances, by [strideAt] of the place; the last may be short.
	windows []uint32
	// last is that of the last before the place.
	last uint32
	// next is the window from which on some are compared next.
	next int
}

// strideAt is the distance of windows: as their number grows, all but every second go, and again.
func strideAt(place int64) int64 {
	if place <= wholeMost {
		return windowBytes
	}
	stride := int64(2 * windowBytes)
	for stride*windowsMost < place {
		stride *= 2
	}
	return stride
}

// Is tells whether it is the one at a place that has a value.
func (s *Sum) Is(place int64, value uint32) bool { return s.place == place && s.Value() == value }

// On is the sum at a later place. What stands between is read, as far as it is in windows.
func (s Sum) On(r io.ReaderAt, place int64) (Sum, error) {
	before, stride := strideAt(s.place), strideAt(place)
	on, room := Sum{place: place, next: s.next, windows: make([]uint32, 0, place/stride+1)}, make([]byte, min(place, windowBytes))
	for i := int64(0); i*before < s.place; i += stride / before {
		on.windows = append(on.windows, s.windows[i])
	}
	known := len(on.windows)
	for i := max(known-1, 0); int64(i)*stride < place; i++ {
		from := int64(i) * stride
		to := min(from+windowBytes, place)
		if i < known { // it may have been short
			from = max(s.place, from)
		} else {
			on.windows = append(on.windows, 0)
		}
		if err := add(r, room, from, to, &on.windows[i]); err != nil {
			return Sum{}, err
		}
	}
	return on, add(r, room, max(place-windowBytes, 0), place, &on.last)
}

// add adds what stands in a file between two places, as far as there is room, to a checksum.
func add(r io.ReaderAt, room []byte, from, to int64, sum *uint32) error {
	room = room[:max(to-from, 0)]
	n, err := r.ReadAt(room, from)
	if n == len(room) {
		*sum = crc32.Update(*sum, castagnoli, room)
		return nil
	}
	if errors.Is(err, io.EOF) {
		err = ErrShort
	}
	return fmt.Errorf("looking at byte %d: %w", from, err)
}

// Value is the checksum.
func (s *Sum) Value() uint32 {
	all := binary.BigEndian.AppendUint32(make([]byte, 0, 4*len(s.windows)+4), s.last)
	for _, window := range s.windows {
		all = binary.BigEndian.AppendUint32(all, window)
	}
	return crc32.Checksum(all, castagnoli)
}

// Turn has other windows be compared next than those that are each time that it was kept and is taken up.
func (s *Sum) Turn() { s.next = rand.IntN(len(s.windows) + 1) }

// Some tells whether a file is what it was, by the first and the last that the sum is of and by some windows, the next ones each time: what
// is compared does not grow with the file, and all is once this was asked often enough.
func (s *Sum) Some(r io.ReaderAt) (bool, error) {
	room, stride, last := make([]byte, windowBytes), strideAt(s.place), uint32(0)
	if err := add(r, room, max(s.place-windowBytes, 0), s.place, &last); err != nil || last != s.last {
		return false, err
	}
	for n := range min(1+someWindows, len(s.windows)) {
		i, sum := 0, uint32(0)
		if n > 0 {
			s.next = s.next%(len(s.windows)-1) + 1
			i = s.next
		}
		from := int64(i) * stride
		if err := add(r, room, from, min(from+windowBytes, s.place), &sum); err != nil || sum != s.windows[i] {
			return false, err
		}
	}
	return true, nil
}
