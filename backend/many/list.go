package many

import (
	"fmt"
	"os"
	"reflect"
	"unsafe"

	"palimpsest/backend/scratch"
)

// List is a slice in parts of the same length, which need not move when there is more: one that grows has no second copy of itself for a
// while, and of one that is long the parts that were not used lately are in a file. T has no pointers. The zero value is empty.
type List[T any] struct {
	parts []portion[T]
	count int
	// inMemory is how many parts are, and hand the one that is looked at next when one has to go.
	inMemory, hand int
	file           *os.File
	// stays tells that there is no room for a file.
	stays bool
}

// portion is a part; items is nil if it is in the file alone.
type portion[T any] struct {
	items []T
	// used tells that somebody wanted it since it was looked at, stale that the file has something else.
	used, stale bool
}

// part is how many stand together.
const part = 1 << 10

// partsMost is how many parts are in memory.
var partsMost = 64

// newFile makes room beside memory.
var newFile = scratch.File

// Len is how many there are.
func (l *List[T]) Len() int { return l.count }

// At is the one at a place.
func (l *List[T]) At(i int) T { return l.part(i / part).items[i%part] }

// Set puts another one at a place.
func (l *List[T]) Set(i int, v T) {
	p := l.part(i / part)
	p.items[i%part], p.stale = v, true
}

// Add puts one at the end.
func (l *List[T]) Add(v T) {
	if l.count%part == 0 {
		items := []T{} // most lists are short
		if l.count > 0 {
			items = l.room()
		}
		l.parts = append(l.parts[:l.count/part], portion[T]{items: items[:0]})
		l.inMemory++
	}
	last := l.part(l.count / part)
	last.items, last.stale = append(last.items, v), true
	l.count++
}

// Cut leaves the first n, if there are more.
func (l *List[T]) Cut(n int) {
	if n >= l.count {
		return
	}
	parts := (n + part - 1) / part
	for i := parts; i < len(l.parts); i++ {
		if l.parts[i].items != nil {
			l.inMemory--
		}
	}
	clear(l.parts[parts:])
	l.parts, l.count = l.parts[:parts], n
	if rest := n % part; rest > 0 {
		last := l.part(parts - 1)
		last.items, last.stale = last.items[:rest], true
	}
}

// part is one that is in memory until the next is asked for.
func (l *List[T]) part(i int) *portion[T] {
	p := &l.parts[i]
	if p.items == nil {
		items := l.room()
		if _, err := l.file.ReadAt(bytesOf(items), placeOf[T](i)); err != nil {
			panic(fmt.Sprintf("many: reading a part of a list again: %v", err))
		}
		p.items = items
		l.inMemory++
	}
	p.used = true
	return p
}

// room is a part's room in memory: that of another one, if there are enough.
func (l *List[T]) room() []T {
	for l.inMemory >= partsMost && !l.stays {
		i := l.hand % len(l.parts)
		l.hand = i + 1
		p := &l.parts[i]
		switch {
		case len(p.items) < part: // it is in the file, or the last one, which is written to
		case p.used:
			p.used = false
		case p.stale && !l.write(i):
			l.stays = true
		default:
			items := p.items[:part:part]
			p.items, p.stale = nil, false
			l.inMemory--
			return items
		}
	}
	return make([]T, part)
}

// write puts a part into the file; false if there is no room.
func (l *List[T]) write(i int) bool {
	if l.file == nil {
		if t := reflect.TypeFor[T](); !plain(t) {
			panic(fmt.Sprintf("many: a list of %v, which has pointers", t))
		}
		file, err := newFile()
		if err != nil {
			return false
		}
		l.file = file
	}
	_, err := l.file.WriteAt(bytesOf(l.parts[i].items), placeOf[T](i))
	return err == nil
}

// placeOf is where a part stands in the file.
func placeOf[T any](i int) int64 { return int64(i) * part * int64(unsafe.Sizeof(*new(T))) }

// bytesOf is the memory of a part: nobody but this program reads it, on this machine.
func bytesOf[T any](items []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(items))), part*int(unsafe.Sizeof(*new(T))))
}

// plain tells of types without pointers.
func plain(t reflect.Type) bool {
	switch t.Kind() { //nolint:exhaustive // all others have some
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return true
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for field := range t.Fields() {
			if !plain(field.Type) {
				return false
			}
		}
		return true
	}
	return false
}
