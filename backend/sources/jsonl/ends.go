package jsonl

import (
	"bytes"
	"context"
	"io"
	"iter"
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
)

// ends are both ends of a file, read once for all that looks at them. Cheap reads are of many files: there is one for each that is being
// read, and it is used again.
type ends struct {
	room [2*Edge + 1]byte
	// head is the beginning, once it was read; all tells that there is nothing behind it. Ended tells that the end was read.
	head  []byte
	read  bool
	all   bool
	ended bool
	// breaks are where lines end in the last part.
	breaks []int
}

// readOn is what the system reads of a file at once, as a rule: both ends of a smaller one come with one request. Of a larger one it would
// read up to 512 KB for the beginning alone, a quarter of all that a first list read.
const readOn = 2 * Edge

// longLines bounds the first lines that are read whole, however long.
var longLines sources.Few

var unused = sync.Pool{New: func() any { return new(ends) }}

func (e *ends) release() {
	e.head, e.read, e.all, e.ended = nil, false, false, false
	unused.Put(e)
}

func (f *File) atEnds() *ends {
	if f.ends == nil {
		f.ends, _ = unused.Get().(*ends) // the pool makes nothing else
		if f.Size > readOn && !f.advised {
			inParts(f.File)
		}
	}
	return f.ends
}

// willRead has the system begin to read both ends.
func (f *File) willRead() {
	f.advised = true
	if f.Size <= readOn {
		willRead(f.File, 0, f.Size)
		return
	}
	inParts(f.File)
	willRead(f.File, 0, Edge+1)
	willRead(f.File, f.Size-Edge, Edge)
}

// beginning is what stands before [Edge], and whether that is all.
func (f *File) beginning() (head []byte, all bool) {
	e := f.atEnds()
	if !e.read {
		n, err := f.ReadAt(e.room[:Edge+1], 0)
		e.head, e.read, e.all = e.room[:min(n, Edge)], true, err != nil // as a rule, that it ends
	}
	return e.head, e.all
}

// last is what stands behind [Edge] before the end; nothing if it can't be read.
func (f *File) last() []byte {
	size := min(f.Size, Edge)
	e := f.atEnds()
	if e.read && f.Size <= Edge {
		return e.head[:min(size, int64(len(e.head)))]
	}
	tail := e.room[Edge+1:][:size]
	if e.ended {
		return tail
	}
	if n, _ := f.ReadAt(tail, f.Size-size); int64(n) < size {
		return nil
	}
	e.ended = true
	return tail
}

// Forward gives the lines from the start, up to [Edge] bytes of the file, or all of the first line if that is longer. A line
// that is cut off there is not given. Lines are valid until the file is closed.
func (f *File) Forward() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		head, all := f.beginning()
		if !all && bytes.IndexByte(head, '\n') < 0 {
			longLines.Do(func() { Forward(io.NewSectionReader(f.File, 0, math.MaxInt64))(yield) })
			return
		}
		for first := true; ; first = false {
			end := bytes.IndexByte(head, '\n')
			if end < 0 {
				if all && len(head) > 0 {
					yield(trim(head, first))
				}
				return
			}
			if !yield(trim(head[:end], first)) {
				return
			}
			head = head[end+1:]
		}
	}
}

// Backward gives the lines from the end, the last one first, up to [Edge] bytes of the file. They are valid until the file is closed.
func (f *File) Backward() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		held := f.last()
		e := f.atEnds()
		e.breaks = breaks(e.breaks[:0], held)
		backward(held, e.breaks, f.Size <= Edge)(yield)
	}
}

// Holds tells whether something that is shorter than 64 bytes is in a file of which both ends are all.
func (f *File) Holds(is func(text []byte) bool) bool {
	const shorter = 64
	if head, all := f.beginning(); all || f.Size <= 2*Edge-shorter { // else it may stand where they meet
		return is(head) || !all && is(f.last())
	}
	room, _ := unused.Get().(*ends) // the lines of the ends stay what they are
	defer unused.Put(room)
	text := room.room[:min(f.Size, 2*Edge)]
	n, _ := f.ReadAt(text, 0) // as much as there is
	return is(text[:n])
}

// Ending is [File.Backward] of a text that can only be read from its start. What can't be read of it is as if it were not there.
func Ending(ctx context.Context, text io.Reader) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var held []byte
		room := make([]byte, Edge)
		all := true
		for ctx.Err() == nil {
			n, err := text.Read(room)
			held = append(held, room[:n]...)
			if over := len(held) - Edge; over > 0 {
				held, all = append(held[:0], held[over:]...), false
			}
			if err != nil {
				break
			}
		}
		backward(held, breaks(nil, held), all)(yield)
	}
}

// backward gives the lines of the end of a text, or of all of it, which end at these places.
func backward(held []byte, at []int, all bool) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, start := range slices.Backward(at) {
			if line := bytes.TrimRight(held[start+1:], "\r"); len(line) > 0 && !yield(line) {
				return
			}
			held = held[:start]
		}
		if all && len(held) > 0 {
			yield(trim(held, true))
		}
	}
}

// breaks appends where lines end; looking for them from the front is many times as fast as from the back.
func breaks(at []int, text []byte) []int {
	for from := 0; ; {
		next := bytes.IndexByte(text[from:], '\n')
		if next < 0 {
			return at
		}
		at = append(at, from+next)
		from += next + 1
	}
}

// View is what a line says. It is valid as long as the line: what is kept of it has to be a copy, such as [Text] and [OneLine] give.
func View(line []byte) gjson.Result {
	return gjson.Parse(unsafe.String(unsafe.SliceData(line), len(line)))
}
