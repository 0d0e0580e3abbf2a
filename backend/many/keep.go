package many

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"unsafe"

	"palimpsest/backend/keep"
)

// Keep is as [keep.Keeper] has it. Lists are written as they stand in memory, numbers as how much they are more than those before.
func (l *List[T]) Keep(s *keep.State) {
	n := s.Len(l.count)
	if !s.Reads() {
		for i := 0; i < n; i += part {
			room := slices.Clone(l.part(i / part).items)
			differ(room)
			s.Bytes(memoryOf(room))
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
		sum(some)
		for _, v := range some {
			l.Add(v)
		}
	}
}

// lane is the size of what is taken for a number.
const lane = 4

// differ leaves of the numbers in items how much they are more than those of the item before: most count something, and take little room then.
func differ[T any](items []T) {
	p, size := memoryOf(items), int(unsafe.Sizeof(*new(T)))
	for i := len(p) - lane; i >= size && numbers[T](); i -= lane {
		binary.NativeEndian.PutUint32(p[i:], binary.NativeEndian.Uint32(p[i:])-binary.NativeEndian.Uint32(p[i-size:]))
	}
}

// sum takes that back.
func sum[T any](items []T) {
	p, size := memoryOf(items), int(unsafe.Sizeof(*new(T)))
	for i := size; i < len(p) && numbers[T](); i += lane {
		binary.NativeEndian.PutUint32(p[i:], binary.NativeEndian.Uint32(p[i:])+binary.NativeEndian.Uint32(p[i-size:]))
	}
}

// numbers tells of items that are no text.
func numbers[T any]() bool { return unsafe.Alignof(*new(T)) >= lane }

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
	n, before := s.Len(count), int32(0)
	var text [slotBytes]byte
	hash := text[:slotBytes-lane]
	if !s.Reads() {
		for one := range m.slots() {
			one.appendTo(text[:0])
			s.Bytes(hash)
			more := one.number - before
			s.Values(&more)
			before = one.number
		}
		return
	}
	*m = IDs{by: by}
	for range n {
		more := int32(0)
		s.Bytes(hash)
		if s.Values(&more); s.Err() != nil {
			return
		}
		one := slotOf(text[:])
		if one.low&1 == 0 {
			s.Fail(errors.New("a hash of an id is none"))
			return
		}
		before += more
		m.put(one.key, before)
	}
}

// slots are all that there are, those in memory by their numbers; of those with one key, the last counts.
func (m *IDs) slots() iter.Seq[slot] {
	return func(yield func(slot) bool) {
		for i := range m.runs {
			for c := m.runs[i].cursor(); c.key != (key{}); c.next() {
				if !yield(c.slot) {
					return
				}
			}
		}
		all := slices.DeleteFunc(slices.Clone(m.table), func(s slot) bool { return s.key == key{} })
		slices.SortFunc(all, func(a, b slot) int { return cmp.Compare(a.number, b.number) })
		for _, one := range all {
			if !yield(one) {
				return
			}
		}
	}
}
