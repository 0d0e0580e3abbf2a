package jsonl

import (
	"bytes"
	"time"
)

// TimeBeyond is when the last line was written that tells so, where none does of those that [File.Backward] gives: one line may be longer than
// an edge. It looks up to 8 MB before the end of the file, and is the zero time if none tells there.
func (f *File) TimeBeyond(of func(line []byte) time.Time) (at time.Time) {
	if f.Size <= Edge {
		return at
	}
	longLines.Do(func() {
		f.beyond(func(line []byte) bool {
			at = of(line)
			return at.IsZero()
		})
	})
	return at
}

// beyond gives the lines before those at the end, the last one first. They are valid until the next.
func (f *File) beyond(yield func([]byte) bool) {
	const most, times = 8 << 20, 4
	floor := max(0, f.Size-most)
	held := f.last()
	end := f.Size // of the line that comes next
	if first := bytes.IndexByte(held, '\n'); first >= 0 {
		end -= int64(len(held) - first)
	}
	for size := int64(times * Edge); end > floor; size *= times {
		from := max(floor, end-size)
		part := make([]byte, end-from)
		if n, _ := f.ReadAt(part, from); n < len(part) {
			return
		}
		at := breaks(nil, part)
		for line := range backward(part, at, from == 0) {
			if !yield(line) {
				return
			}
		}
		if from == floor {
			return
		}
		if len(at) > 0 {
			end, size = from+int64(at[0]), Edge
		}
	}
}
