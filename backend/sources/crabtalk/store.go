package crabtalk

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// The file of keys and values begins with a header that says where a list of all keys is; records behind that list are newer.
//
//	header  "CRMEM\0", version 4 bytes, flags 2, reserved 4, where the list is 8, its length 8
//	list    count 4, and for each: column 1, length of the key 4, key, where its record is 8
//	record  what it does 1 (0 puts, 1 deletes), column 1, length of the key 4, key, length of the value 4, value
//
// All numbers have their lowest byte first. A record that is cut off ends the file.
const (
	magic        = "CRMEM\x00"
	headerLength = 32
	keyMost      = 64 << 10
	listMost     = 256 << 20
	// sessions is their column. Others have the keys of sessions with something before them, as what was indexed.
	sessions = 1
)

var order = binary.LittleEndian

// store is such a file, with where the values of the keys are that sessions have.
type store struct {
	file *jsonl.File
	in   io.ReaderAt
	size int64
	at   index[int64]
	// lost is how many bytes are no records, and not one that is cut off or being written.
	lost int64
}

// errNotThere is returned for a key that nothing is there for.
var errNotThere = errors.New("it is not there")

// errStrange is returned for a file in a form that nobody knows.
var errStrange = errors.New("it is in a form of CrabTalk's that is not known")

// openStore reads which keys there are.
func openStore(path string) (*store, error) {
	file, err := jsonl.Open(path)
	if err != nil {
		return nil, err
	}
	s := &store{file: file, in: file, size: file.Size}
	if err := s.index(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return s, nil
}

func (s *store) index() error {
	head := make([]byte, headerLength)
	if _, err := s.in.ReadAt(head, 0); err != nil || string(head[:len(magic)]) != magic {
		return errStrange
	}
	if order.Uint32(head[6:]) != 1 || order.Uint16(head[10:]) != 0 {
		return errStrange
	}
	from, length := order.Uint64(head[16:]), order.Uint64(head[24:])
	var list span
	next := int64(headerLength)
	if length > 0 && length <= listMost && from <= uint64(s.size) { //nolint:gosec // a size is not negative
		list = span{int64(from), int64(min(length, uint64(s.size)-from))} //nolint:gosec // as above
		if s.listed(bufio.NewReader(io.NewSectionReader(s.in, list.from, list.length))) {
			next = list.from + list.length
		} else {
			s.at = index[int64]{}
		}
	}
	s.records(next, list)
	return nil
}

// listed takes the keys from the list; false if it is cut off.
func (s *store) listed(list *bufio.Reader) bool {
	var count [4]byte
	if _, err := io.ReadFull(list, count[:]); err != nil {
		return false
	}
	for range order.Uint32(count[:]) {
		var head [5]byte
		if _, err := io.ReadFull(list, head[:]); err != nil {
			return false
		}
		key, err := keyIn(list, int(order.Uint32(head[1:])))
		if err != nil {
			return false
		}
		var place [8]byte
		if _, err := io.ReadFull(list, place[:]); err != nil {
			return false
		}
		if at := order.Uint64(place[:]); at <= math.MaxInt64 {
			s.note(head[0], key, int64(at))
		}
	}
	return true
}

// keyIn is the next key of a list; empty for one that is too long to be of a session.
func keyIn(list *bufio.Reader, length int) (string, error) {
	if length > keyMost {
		_, err := list.Discard(length)
		return "", err //nolint:wrapcheck // it only tells that the list is cut off
	}
	key := make([]byte, length)
	_, err := io.ReadFull(list, key)
	return string(key), err
}

// note keeps the keys that sessions have, and those of the memory, where summaries may be.
func (s *store) note(column byte, key string, at int64) {
	_, _, is := ofSession(key)
	if is && (column == sessions || strings.HasPrefix(key, "session/")) || inMemory(key) {
		s.at.put(key, at)
	}
}

func inMemory(key string) bool {
	return strings.HasPrefix(key, "memory/") || strings.Contains(key, "/memory/")
}

// value is that of a key, at most so long.
func (s *store) value(key string, most int64) ([]byte, error) {
	place, err := s.place(key)
	if err != nil {
		return nil, err
	}
	if place.length > most {
		return nil, &glean.LargeError{Name: key, Bytes: place.length}
	}
	return s.bytes(key, place)
}

// start is the beginning of a key's value.
func (s *store) start(key string, most int64) ([]byte, error) {
	place, err := s.place(key)
	if err != nil {
		return nil, err
	}
	place.length = min(place.length, most)
	return s.bytes(key, place)
}

// place is where the value of a key is.
func (s *store) place(key string) (span, error) {
	at, is := s.at.get(key)
	head := make([]byte, recordHead+len(key)+4)
	if _, err := s.in.ReadAt(head, at); !is || err != nil || string(head[recordHead:recordHead+len(key)]) != key {
		return span{}, fmt.Errorf("its record of %s is not where it should be", key)
	}
	value := span{at + int64(len(head)), int64(order.Uint32(head[recordHead+len(key):]))}
	if value.from+value.length > s.size {
		return span{}, fmt.Errorf("its record of %s goes on behind the end of the file", key)
	}
	return value, nil
}

func (s *store) bytes(key string, place span) ([]byte, error) {
	value := make([]byte, place.length)
	if _, err := s.in.ReadAt(value, place.from); err != nil {
		return nil, fmt.Errorf("reading its record of %s: %w", key, err)
	}
	return value, nil
}
