package many

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"unsafe"

	"palimpsest/backend/keep"
)

// Keep is as [keep.Keeper] has it. Lists are written as they stand in memory.
func (l *List[T]) Keep(s *keep.State) {
	n := s.Len(l.count)
	if !s.Reads() {
		for i := 0; i < n; i += part {
			s.Bytes(memoryOf(l.part(i / part).items))
		}
		return
	}
	*l = List[T]{}
	if t := reflect.TypeFor[T](); !plain(t) {
		s.Fail(fmt.Errorf("a list of %v, which has pointers", t))
		return
	}
	room := make([]T, min(n, part))
	for l.count < n {
		some := room[:min(n-l.count, part)]
		if s.Bytes(memoryOf(some)); s.Err() != nil {
			return
		}
		for _, v := range some {
			l.Add(v)
		}
	}
}

// memoryOf is that of some items, as [bytesOf] is of a part.
func memoryOf[T any](items []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(items))), len(items)*int(unsafe.Sizeof(*new(T))))
}

// Keep is as [keep.Keeper] has it. Of ids nothing is known but their hashes, and so the key of these comes with them.
func (m *IDs) Keep(s *keep.State) {
	by := m.by
	s.Values(&by)
	count := m.taken
	for i := range m.runs {
		count += m.runs[i].count
	}
	n := s.Len(count)
	var text [slotBytes]byte
	if !s.Reads() {
		for one := range m.slots() {
			one.appendTo(text[:0])
			s.Bytes(text[:])
		}
		return
	}
	*m = IDs{by: by}
	for range n {
		if s.Bytes(text[:]); s.Err() != nil {
			return
		}
		one := slotOf(text[:])
		if one.low&1 == 0 {
			s.Fail(errors.New("a hash of an id is none"))
			return
		}
		m.put(one.key, one.number)
	}
}

// slots are all that there are; of those with one key, the last counts.
func (m *IDs) slots() iter.Seq[slot] {
	return func(yield func(slot) bool) {
		for i := range m.runs {
			for c := m.runs[i].cursor(); c.key != (key{}); c.next() {
				if !yield(c.slot) {
					return
				}
			}
		}
		for _, one := range m.table {
			if one.key != (key{}) && !yield(one) {
				return
			}
		}
	}
}
