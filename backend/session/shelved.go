package session

import (
	"fmt"
	"os"
	"sync"
	"unsafe"

	"palimpsest/backend/many"
	"palimpsest/backend/scratch"
)

// shelf is a scratch file for the lines of a long log, for all the [Lines] that have parts in common. It may be used by several goroutines.
type shelf struct {
	mu   sync.Mutex
	file *os.File
	size int64
	// read are parts that were wanted last, by their places, and order are those places.
	read  map[int64][]lineFew
	order []int64
}

const partBytes = partLines * int64(unsafe.Sizeof(lineFew{}))

// newFile makes room beside memory.
var newFile = scratch.File

// put writes a part, which is whole, and returns where it is; false if there is no room.
func (s *shelf) put(part []lineFew) (at int64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		file, err := newFile()
		if err != nil {
			return 0, false
		}
		s.file, s.read = file, map[int64][]lineFew{}
	}
	at = s.size
	if _, err := s.file.WriteAt(bytesOf(part), at); err != nil {
		return 0, false
	}
	s.size += partBytes
	return at, true
}

// get is the part at a place. One that can't be read any more is a panic: it can't be told what stands there.
func (s *shelf) get(at int64) []lineFew {
	s.mu.Lock()
	defer s.mu.Unlock()
	if part, ok := s.read[at]; ok {
		return part
	}
	part := make([]lineFew, partLines)
	if _, err := s.file.ReadAt(bytesOf(part), at); err != nil {
		panic(fmt.Sprintf("session: reading again where lines stand: %v", err))
	}
	if len(s.order) == many.PartsMost() {
		delete(s.read, s.order[0])
		s.order = append(s.order[:0], s.order[1:]...)
	}
	s.read[at], s.order = part, append(s.order, at)
	return part
}

// bytesOf is the memory of a part: nobody but this program reads it, on this machine.
func bytesOf(part []lineFew) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(part))), partBytes)
}
