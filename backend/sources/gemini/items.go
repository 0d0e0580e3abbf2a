package gemini

import (
	"hash/fnv"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources/jsonl"
)

// item is what is remembered of a message in the list. A file may have a million of them.
type item struct {
	// id is the number of its id.
	id int32
	// last is the seq of its last record.
	last uint32
	// calls is how many it has, to tell whether one that is written again has more.
	calls int32
	// results tells that there are only results in it, which stand with their calls as well, and told that it is what a person alone was
	// told or typed, which need not be in a list that replaces another.
	results, told bool
	// words stand for what it says, to tell whether it says the same in another list.
	words uint32
}

// items are those of a list, in order, and can be found by their ids.
type items struct {
	all many.List[item]
	// ids are numbered. first is where the first item with an id stands, or once stood.
	ids   many.IDs
	first many.List[int32]
}

// number is that of an id, the same for all that have it.
func (s *items) number(id string) int32 {
	n, known := s.ids.Get(id)
	if !known {
		n = s.ids.Len()
		s.ids.Put(id, n)
		s.first.Add(-1)
	}
	return int32(n)
}

// find is the first item with an id, -1 if there is none.
func (s *items) find(id string) int {
	if n, known := s.ids.Get(id); known {
		return s.at(int32(n), s.all.Len())
	}
	return -1
}

// same tells whether a message is that item, and says the same.
func (s *items) same(i int, m gjson.Result) bool {
	it := s.all.At(i)
	return it.id == s.number(jsonl.Text(m.Get("id"))) && it.words == wording(m)
}

// at is the first of so many items with the number of an id, -1 if there is none.
func (s *items) at(id int32, before int) int {
	at := int(s.first.At(int(id)))
	if at >= 0 && at < before && s.all.At(at).id == id {
		return at
	}
	return -1
}

// add puts one at the end.
func (s *items) add(it item) {
	s.all.Add(it)
	s.place(s.all.Len() - 1)
}

// place notes where an item stands, after those before it.
func (s *items) place(i int) {
	if id := s.all.At(i).id; s.at(id, i) < 0 {
		s.first.Set(int(id), int32(i))
	}
}

// set puts others in their place.
func (s *items) set(all []item) {
	s.all.Cut(0)
	for i := range all {
		s.add(all[i])
	}
}

// keep leaves only the first.
func (s *items) keep(count int) { s.all.Cut(count) }

// change changes one, but for its id.
func (s *items) change(i int, how func(it *item)) {
	it := s.all.At(i)
	how(&it)
	s.all.Set(i, it)
}

// stand notes that the last record of the last one is that which was written last.
func (s *items) stand(last int64) {
	if n := s.all.Len(); n > 0 {
		s.change(n-1, func(it *item) { it.last = uint32(last) })
	}
}

// of is the item that a message becomes.
func (s *items) of(m gjson.Result, last int64) item {
	return item{s.number(jsonl.Text(m.Get("id"))), uint32(last), int32(len(few(m.Get("toolCalls")))), onlyResults(m), alone(m), wording(m)}
}

// aside tells of an item that no list is told by.
func (s *items) aside(i int) bool {
	it := s.all.At(i)
	return it.results || it.told
}

// wording stands for what a message says to the other side. Thinking is written in one way or another, calls come later, and a text that
// thinking interrupts is written in one piece or in several.
func wording(m gjson.Result) uint32 {
	sum := fnv.New32a()
	for _, part := range parts(m.Get("content")) {
		if part.Get("thought").Bool() {
			continue
		}
		for word := range strings.FieldsSeq(textOf(part)) {
			sum.Write([]byte(word))
		}
	}
	return sum.Sum32()
}
