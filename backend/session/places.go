package session

import (
	"iter"
	"math"
	"slices"
	"sort"

	"palimpsest/backend/many"
)

// Lines are the lines of a log, in order: 16 bytes for each, since a log of a GB has a million, and all but the last tens of thousands in
// a scratch file if there is room for one. One that grew shares what it had with the one that it was, which stays as it is.
type Lines struct {
	parts []linePart
	count int
	shelf *shelf
}

// partLines is how many stand together, so that a log that grows has no second copy of its lines for a while.
const partLines = 1 << 10

// linePart is some lines, told by how far they are from the first of them; whole if one is too far for that. One without either is on
// the shelf.
type linePart struct {
	first Line
	few   []lineFew
	whole []Line
	place int64
}

type lineFew struct {
	offset, length uint32
	// seq is noSeq for a line without one.
	seq    int32
	number uint16
	kind   LineKind
}

const noSeq = math.MinInt32

// Len is how many lines there are.
func (l *Lines) Len() int { return l.count }

// At is the line with an index.
func (l *Lines) At(i int) Line {
	p := l.part(i / partLines)
	return p.at(i % partLines)
}

// part is one with its lines.
func (l *Lines) part(i int) linePart {
	p := l.parts[i]
	if p.few == nil && p.whole == nil {
		p.few = l.shelf.get(p.place)
	}
	return p
}

// From is the index of the first line that starts at a byte offset or behind it.
func (l *Lines) From(offset int64) int {
	k := sort.Search(len(l.parts), func(k int) bool { return l.parts[k].first.Offset >= offset }) - 1
	if k < 0 {
		return 0
	}
	p, n := l.part(k), min(partLines, l.count-k*partLines)
	return k*partLines + sort.Search(n, func(i int) bool { return p.at(i).Offset >= offset })
}

// All are the lines with their indexes.
func (l *Lines) All() iter.Seq2[int, Line] {
	return func(yield func(int, Line) bool) {
		for i := range l.count {
			if !yield(i, l.At(i)) {
				return
			}
		}
	}
}

// Backward is All from the end.
func (l *Lines) Backward() iter.Seq2[int, Line] {
	return func(yield func(int, Line) bool) {
		for i := l.count - 1; i >= 0; i-- {
			if !yield(i, l.At(i)) {
				return
			}
		}
	}
}

func (l *Lines) add(line Line) {
	if l.count%partLines == 0 {
		part := linePart{first: line}
		if l.count > 0 { // most logs are shorter
			part.few = make([]lineFew, 0, partLines)
		}
		l.parts = append(l.parts, part)
		l.putAway(len(l.parts) - 1 - many.PartsMost())
	}
	l.parts[len(l.parts)-1].add(line)
	l.count++
}

// putAway puts a part on the shelf. Where there is no room, it stays.
func (l *Lines) putAway(i int) {
	if i < 0 || l.parts[i].few == nil {
		return
	}
	if l.shelf == nil {
		l.shelf = &shelf{}
	}
	if place, ok := l.shelf.put(l.parts[i].few); ok {
		l.parts[i].few, l.parts[i].place = nil, place
	}
}

// UpTo are the first lines. What is added to them changes nothing else.
func (l *Lines) UpTo(count int) Lines {
	out := Lines{parts: slices.Clone(l.parts[:(count+partLines-1)/partLines]), count: count, shelf: l.shelf}
	if n := len(out.parts); n > 0 {
		out.parts[n-1] = out.part(n - 1)
		out.parts[n-1].cut(count - (n-1)*partLines)
	}
	return out
}

func (p *linePart) at(i int) Line {
	if p.whole != nil {
		return p.whole[i]
	}
	f := p.few[i]
	line := Line{
		Offset: p.first.Offset + int64(f.offset), Length: int64(f.length), Number: p.first.Number + int32(f.number), Kind: f.kind,
	}
	if f.seq != noSeq {
		line.Seq = p.first.Seq + int64(f.seq)
	}
	return line
}

func (p *linePart) add(line Line) {
	if p.whole == nil {
		if f, ok := p.fewOf(line); ok {
			p.few = append(p.few, f)
			return
		}
		whole := make([]Line, 0, partLines)
		for i := range p.few {
			whole = append(whole, p.at(i))
		}
		p.few, p.whole = nil, whole
	}
	p.whole = append(p.whole, line)
}

// fewOf is a line told by the first; not ok if it is too far from that.
func (p *linePart) fewOf(line Line) (f lineFew, ok bool) {
	offset, seq, number := line.Offset-p.first.Offset, line.Seq-p.first.Seq, line.Number-p.first.Number
	if line.Seq == 0 {
		seq = noSeq
	} else if seq <= noSeq || seq > math.MaxInt32 {
		return f, false
	}
	if offset < 0 || offset > math.MaxUint32 || line.Length < 0 || line.Length > math.MaxUint32 || number < 0 || number > math.MaxUint16 {
		return f, false
	}
	return lineFew{uint32(offset), uint32(line.Length), int32(seq), uint16(number), line.Kind}, true
}

// cut leaves the first lines, and nothing that others have in common with it to be written to.
func (p *linePart) cut(count int) {
	if p.whole != nil {
		p.whole = p.whole[:count:count]
	} else {
		p.few = p.few[:count:count]
	}
}
