package claudecode

import (
	"sort"

	"palimpsest/backend/many"
)

// firsts are the offsets of the first rows of answers, by what names an answer.
type firsts struct {
	ids many.IDs
	at  []int64
}

// of is where an answer begins that has a row here.
func (f *firsts) of(key string, here int64) int64 {
	if n, known := f.ids.Get(key); known {
		return f.at[n]
	}
	f.ids.Put(key, len(f.at))
	f.at = append(f.at, here)
	return here
}

func (f *firsts) clear() {
	f.ids.Clear()
	f.at = f.at[:0]
}

// answers are those that have more than one row, as most have in newer versions.
type answers struct {
	// of has each by the offset of its first row, and rows are the further ones of all of them, as they stand in the file.
	of   map[int64]answered
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
	one, known := a.of[first]
	if known {
		a.rows.At(int(one.last)).next = n
	} else {
		one.head, one.at = n, nowhere
	}
	one.last = n
	a.of[first] = one
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
	one, known := a.of[first]
	if !known {
		return nil
	}
	for n := one.head; n >= 0; {
		row := a.rows.At(int(n))
		rows = append(rows, span{row.offset, int64(row.length)})
		n = row.next
	}
	return rows
}

// wrote notes where an answer stands, if further rows of it will ask.
func (a *answers) wrote(first int64, at spot) {
	if one, known := a.of[first]; known {
		one.at = at
		a.of[first] = one
	}
}
