package jsonl

import (
	"bufio"
	"errors"
	"io"

	"palimpsest/backend/sources"
)

// values reads JSON value by value, whatever comes between: what a value is tells whether it is JSON.
type values struct {
	in *bufio.Reader
	// at is the place of what is read next.
	at  int64
	err error
	// text is the value at hand; of one over [sources.LineMost] it is the beginning.
	text []byte
}

func valuesOf(file io.ReaderAt, from int64) *values {
	const buffer = 256 << 10
	return &values{in: bufio.NewReaderSize(io.NewSectionReader(file, from, 1<<62), buffer), at: from}
}

// ahead is what was read and not taken, none at the end.
func (v *values) ahead() []byte {
	if _, err := v.in.Peek(1); err != nil {
		if !errors.Is(err, io.EOF) {
			v.err = err
		}
		return nil
	}
	text, _ := v.in.Peek(v.in.Buffered()) // it is there
	return text
}

func (v *values) take(n int) {
	_, _ = v.in.Discard(n) // it is there
	v.at += int64(n)
}

func (v *values) next() { v.take(min(1, len(v.ahead()))) }

// mark passes over a byte order mark.
func (v *values) mark() {
	const most = 3
	head, _ := v.in.Peek(most) // a shorter file has none
	v.take(len(head) - len(Unmarked(head)))
}

// end is what stands behind the last byte.
const end = -1

// blanks passes over white space, and returns what stands behind it.
func (v *values) blanks() int {
	for {
		text := v.ahead()
		if len(text) == 0 {
			return end
		}
		for i, c := range text {
			if !blank(c) {
				v.take(i)
				return int(c)
			}
		}
		v.take(len(text))
	}
}

// rest passes over all there is.
func (v *values) rest() {
	for text := v.ahead(); len(text) > 0; text = v.ahead() {
		v.take(len(text))
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// value reads the value that begins here, which is good until the next; length is that of all of it. Not ended if the file ends within it.
func (v *values) value() (text []byte, length int64, ended bool) {
	v.text = v.text[:0]
	length, ended = v.pass(func(part []byte) {
		if len(v.text)+len(part) <= sources.LineMost {
			v.text = append(v.text, part...)
		}
	})
	return v.text, length, ended
}

// pass goes through the value that begins here.
func (v *values) pass(part func([]byte)) (length int64, ended bool) {
	from, depth, quoted, escaped, bare := v.at, 0, false, false, true
	for {
		text := v.ahead()
		if len(text) == 0 {
			return v.at - from, false
		}
		last := -1
		for i, c := range text {
			switch {
			case escaped:
				escaped = false
			case quoted && c == '\\':
				escaped = true
			case c == '"':
				if bare, quoted = false, !quoted; !quoted && depth == 0 {
					last = i + 1
				}
			case quoted:
			case c == '{' || c == '[':
				bare = false
				depth++
			case (c == '}' || c == ']') && depth > 0:
				if depth--; depth == 0 {
					last = i + 1
				}
			case depth == 0 && bare && v.at+int64(i) > from && (blank(c) || c == ',' || c == '}' || c == ']'):
				last = i
			}
			if last >= 0 {
				break
			}
		}
		n := last
		if last < 0 {
			n = len(text)
		}
		if part != nil {
			part(text[:n])
		}
		if v.take(n); last >= 0 {
			return v.at - from, true
		}
	}
}

// items goes through those of the list that begins here, and visits them, each with its place and how long it is, until there are enough. Not
// whole if they are not written as they have to be.
func (v *values) items(visit func(text []byte, at, length int64) bool) (whole bool) {
	v.next()
	var order order
	for {
		switch c := v.blanks(); c {
		case end:
			return false
		case ']':
			v.next()
			return order.kept()
		case ',', '}', ':':
			order.between(c)
			v.next()
			continue
		}
		order.item()
		at, ended := v.at, false
		if visit == nil {
			_, ended = v.pass(nil)
		} else {
			var text []byte
			var length int64
			if text, length, ended = v.value(); !visit(text, at, length) {
				return false
			}
		}
		order.broken = order.broken || !ended
	}
}

// order tells whether items have a comma between each two of them, and nothing else.
type order struct {
	items, commas int
	broken        bool
}

func (o *order) item() {
	o.broken = o.broken || o.commas != o.items
	o.items++
}

func (o *order) between(c int) {
	o.commas++
	o.broken = o.broken || c != ',' || o.commas != o.items
}

func (o *order) kept() bool { return !o.broken && (o.items == 0 || o.commas == o.items-1) }
