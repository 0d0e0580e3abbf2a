package crabtalk

import (
	"slices"
	"strings"

	"palimpsest/backend/many"
)

// index has where the value of each key stands: of many keys, beside memory, since a store or a database may hold a million messages. Keys
// are told by numbers. The zero value is empty.
type index[T any] struct {
	numbers many.IDs
	keys    many.Texts
	places  many.List[placed[T]]
}

// placed is where a value stands; gone if it was deleted.
type placed[T any] struct {
	place T
	gone  bool
}

func (x *index[T]) put(key string, place T) {
	if n, known := x.numbers.Get(key); known {
		x.places.Set(n, placed[T]{place: place})
		return
	}
	x.numbers.Put(key, x.keys.Len())
	x.keys.Add(key)
	x.places.Add(placed[T]{place: place})
}

func (x *index[T]) get(key string) (place T, is bool) {
	n, known := x.numbers.Get(key)
	if !known {
		return place, false
	}
	e := x.places.At(n)
	return e.place, !e.gone
}

func (x *index[T]) remove(key string) {
	if n, known := x.numbers.Get(key); known {
		x.places.Set(n, placed[T]{gone: true})
	}
}

// key is that of a number.
func (x *index[T]) key(n int32) string { return x.keys.At(int(n)) }

// handles are the sessions, and the keys that each has, in the order in which they are read.
func (x *index[T]) handles() map[string][]int32 {
	ranked := map[string]*[ranks][]int32{}
	for n := range x.keys.Len() {
		key := x.keys.At(n)
		handle, _, is := ofSession(key)
		if !is || x.places.At(n).gone {
			continue // of the memory
		}
		if ranked[handle] == nil {
			ranked[handle] = &[ranks][]int32{}
		}
		of := &ranked[handle][rank(key)]
		*of = append(*of, int32(n))
	}
	out := make(map[string][]int32, len(ranked))
	for handle, parts := range ranked {
		for _, part := range parts { // which is in order as a rule
			slices.SortFunc(part, func(a, b int32) int { return strings.Compare(x.key(a), x.key(b)) })
		}
		out[handle] = slices.Concat(parts[:]...)
	}
	return out
}
