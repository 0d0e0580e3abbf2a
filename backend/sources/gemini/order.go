package gemini

import (
	"iter"

	"palimpsest/backend/many"
)

// order is a list of things that have ids, as messages that come, go and change places in it. What goes leaves a gap, so that a change takes
// no more than what it names, however long the list is.
type order[T any] struct {
	// ids are numbered, and stands says where the one with a number stands, -1 if it does not.
	ids    many.IDs
	stands many.List[int32]
	all    many.List[placed[T]]
	gaps   int
}

// placed is one in a list, with the number of its id or one of these.
type placed[T any] struct {
	id    int32
	thing T
}

const (
	nameless = -1
	gap      = -2
)

// find is where the one with an id stands, -1 if it does not.
func (o *order[T]) find(id string) int {
	if n, known := o.ids.Get(id); known {
		return int(o.stands.At(n))
	}
	return -1
}

// add puts one at the end, with an id that no other has, or with none.
func (o *order[T]) add(id string, thing T) {
	number := int32(nameless)
	if id != "" {
		n, known := o.ids.Get(id)
		if !known {
			n = o.ids.Len()
			o.ids.Put(id, n)
			o.stands.Add(-1)
		}
		o.stands.Set(n, int32(o.all.Len()))
		number = int32(n)
	}
	o.all.Add(placed[T]{number, thing})
}

func (o *order[T]) at(i int) T { return o.all.At(i).thing }

func (o *order[T]) set(i int, thing T) { o.all.Set(i, placed[T]{o.all.At(i).id, thing}) }

// cut takes away the one at a place and all behind it.
func (o *order[T]) cut(from int) {
	for i := from; i < o.all.Len(); i++ {
		if id := o.all.At(i).id; id >= 0 {
			o.stands.Set(int(id), -1)
		} else if id == gap {
			o.gaps--
		}
	}
	o.all.Cut(from)
}

// remove takes one away from its place.
func (o *order[T]) remove(i int) {
	o.stands.Set(int(o.all.At(i).id), -1)
	o.all.Set(i, placed[T]{id: gap})
	o.gaps++
}

// arrange puts those that are named behind all others, in that order, and tells from which place on that changes the list. Of an id that is
// there twice the first counts.
func (o *order[T]) arrange(ids []string) (from int) {
	behind := o.all.Len()
	from = behind
	if o.arranged(ids) {
		return from
	}
	for _, id := range ids {
		if i := o.find(id); i >= 0 && i < behind {
			thing := o.at(i)
			o.remove(i)
			o.add(id, thing)
			from = min(from, i)
		}
	}
	return from
}

// arranged tells that those named stand at the end in that order. Where there are many gaps it may be so and not be seen.
func (o *order[T]) arranged(ids []string) bool {
	next, steps := -1, len(ids) // next is the place behind the last one
	gaps := func(to int) bool {
		for ; next < to; next++ {
			if steps--; steps < 0 || o.all.At(next).id != gap {
				return false
			}
		}
		return next == to
	}
	for _, id := range ids {
		i := o.find(id)
		if i < 0 {
			continue
		}
		if next < 0 {
			next = i
		}
		if !gaps(i) {
			return false
		}
		next = i + 1
	}
	return next < 0 || gaps(o.all.Len())
}

// each is where those stand that are there, from a place on.
func (o *order[T]) each(from int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := from; i < o.all.Len(); i++ {
			if o.all.At(i).id != gap && !yield(i) {
				return
			}
		}
	}
}

// close leaves no gaps behind the first, among which are none.
func (o *order[T]) close(first int) {
	to := first
	for from := range o.each(first) {
		one := o.all.At(from)
		if one.id >= 0 {
			o.stands.Set(int(one.id), int32(to))
		}
		o.all.Set(to, one)
		to++
	}
	o.all.Cut(to)
	o.gaps = 0
}
