package claudecode

import (
	"encoding/binary"
	"sort"

	"palimpsest/backend/many"
)

// firsts are the offsets of the first rows of answers, by what names an answer.
type firsts struct {
	ids many.IDs
	at  many.List[int64]
}

// of is where an answer begins that has a row here.
func (f *firsts) of(key string, here int64) int64 {
	if n, known := f.ids.Get(key); known {
		return f.at.At(n)
	}
	f.ids.Put(key, f.at.Len())
	f.at.Add(here)
	return here
}

func (f *firsts) clear() {
	f.ids.Clear()
	f.at.Cut(0)
}

// answers are those that have more than one row, as most have in newer versions.
type answers struct {
	// of are their numbers by the offsets of their first rows, and rows are the further ones of all of them, as they stand in the file.
	of   many.IDs
	all  many.List[answered]
	rows many.List[further]
}

// answered is an answer: its further rows, and where it stands once it was written.
type answered struct {
	head, last int32
	at         spot
}

// further is a row behind the first of its answer.
type further struct {
	offset, first int64
	length        uint32
	next          int32
}

// add notes a further row. Rows come as they stand in the file.
func (a *answers) add(first int64, here span) {
	n := int32(a.rows.Len())
	a.rows.Add(further{offset: here.offset, length: uint32(here.length), first: first, next: -1})
	i, known := a.find(first)
	if !known {
		a.of.Put(idOf(first), i)
		a.all.Add(answered{n, n, nowhere})
		return
	}
	one := a.all.At(i)
	last := a.rows.At(int(one.last))
	last.next = n
	a.rows.Set(int(one.last), last)
	one.last = n
	a.all.Set(i, one)
}

// idOf is what an offset is called.
func idOf(offset int64) string { return string(binary.BigEndian.AppendUint64(nil, uint64(offset))) }

// find is the number of the answer that begins at an offset, if it has further rows.
func (a *answers) find(first int64) (i int, known bool) {
	if i, known = a.of.Get(idOf(first)); !known {
		i = a.all.Len()
	}
	return i, known
}

// firstOf is where the answer begins that the row at an offset is a further one of.
func (a *answers) firstOf(offset int64) (first int64, is bool) {
	i := sort.Search(a.rows.Len(), func(i int) bool { return a.rows.At(i).offset >= offset })
	if i == a.rows.Len() || a.rows.At(i).offset != offset {
		return offset, false
	}
	return a.rows.At(i).first, true
}

// behind are the further rows of the answer that begins at an offset.
func (a *answers) behind(first int64) (rows []span) {
	i, known := a.find(first)
	if !known {
		return nil
	}
	for n := a.all.At(i).head; n >= 0; {
		row := a.rows.At(int(n))
		rows = append(rows, span{row.offset, int64(row.length)})
		n = row.next
	}
	return rows
}

// wrote notes where an answer stands, if further rows of it will ask.
func (a *answers) wrote(first int64, at spot) {
	if i, known := a.find(first); known {
		one := a.all.At(i)
		one.at = at
		a.all.Set(i, one)
	}
}

// writtenAt is where the answer stands that the row at an offset is a further one of, if that was written.
func (a *answers) writtenAt(offset int64) (at spot, written bool) {
	first, further := a.firstOf(offset)
	if !further {
		return nowhere, false
	}
	i, _ := a.find(first)
	at = a.all.At(i).at
	return at, at != nowhere
}
