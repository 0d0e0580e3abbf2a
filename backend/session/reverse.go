package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// Reverse reads a log from a place backward, record by record, and collects the damage between those it read. It holds
// the line in hand and one block, whatever the size of the file. It is an [overlay.Log].
type Reverse struct {
	r io.ReaderAt
	// end is where the unread part ends; buf holds the file's bytes from start on, up to end.
	end, start int64
	buf        []byte

	later   int64 // seq of the record read last, 0 if there is none since the start or a jump
	laterAt place
	bad     []badLine // damaged lines read since, nearest first
	damage  []Damage  // latest first
}

const reverseBlock = 64 << 10

// NewReverse reads backward from the line that ends at byte end.
func NewReverse(r io.ReaderAt, end int64) *Reverse {
	return &Reverse{r: r, end: end, start: end}
}

var _ overlay.Log = (*Reverse)(nil)

// Prev returns the next earlier record, of a newer version or not, or io.EOF at the start of the log. The entry's
// line is valid until the next call.
func (v *Reverse) Prev() (overlay.Entry, error) {
	for {
		line, err := v.line()
		if errors.Is(err, io.EOF) {
			v.found(0, place{})
			return overlay.Entry{}, io.EOF
		}
		if err != nil {
			return overlay.Entry{}, err
		}
		content, ok := line.trim()
		if !ok {
			continue
		}
		header, err := record.Scan(content)
		if err != nil {
			v.bad = append(v.bad, line.bad(err, 0, -1))
			continue
		}
		v.found(header.Seq, place{offset: line.offset, index: -1})
		return overlay.Entry{Header: header, Offset: line.offset, End: line.end, Line: content}, nil
	}
}

// found settles what lies between the record at this place and the one read before it.
func (v *Reverse) found(seq int64, at place) {
	slices.Reverse(v.bad)
	between := judge(seq, v.bad, v.later, v.laterAt)
	slices.Reverse(between)
	v.damage = append(v.damage, between...)
	v.bad, v.later, v.laterAt = nil, seq, at
}

// Damage returns the damage met so far, in the order of the file.
func (v *Reverse) Damage() []Damage {
	damage := slices.Clone(v.damage)
	slices.Reverse(damage)
	return damage
}

// Jump makes the line that ends at byte end the next one to be read.
func (v *Reverse) Jump(end int64) {
	v.end, v.start, v.buf = end, end, v.buf[:0]
	v.later, v.bad = 0, nil
}

// At reads the record whose line ends at byte end without moving; false if there is none.
func (v *Reverse) At(end int64) (record.Header, bool) {
	if end <= 0 || end > v.end {
		return record.Header{}, false
	}
	var last [1]byte
	if _, err := v.r.ReadAt(last[:], end-1); err != nil || last[0] != '\n' {
		return record.Header{}, false
	}
	line, err := NewReverse(v.r, end).line()
	if err != nil {
		return record.Header{}, false
	}
	content, _ := line.trim()
	header, err := record.Scan(content)
	return header, err == nil
}

// line returns the physical line that ends at v.end and steps before it.
func (v *Reverse) line() (rawLine, error) {
	if v.end == 0 {
		return rawLine{}, io.EOF
	}
	if len(v.buf) == 0 {
		if err := v.grow(); err != nil {
			return rawLine{}, err
		}
	}
	line := rawLine{end: v.end}
	text := v.buf
	if text[len(text)-1] == '\n' {
		line.terminated = true
		text = text[:len(text)-1]
	}
	searched := 0 // bytes at the end of text known to hold no newline
	for {
		if i := bytes.LastIndexByte(text[:len(text)-searched], '\n'); i >= 0 {
			return v.take(line, text, i+1), nil
		}
		if v.start == 0 {
			return v.take(line, text, 0), nil
		}
		searched = len(text)
		if err := v.grow(); err != nil {
			return rawLine{}, err
		}
		text = v.buf
		if line.terminated {
			text = text[:len(text)-1]
		}
	}
}

func (v *Reverse) take(line rawLine, text []byte, from int) rawLine {
	line.bytes = text[from:]
	line.offset = v.start + int64(from)
	v.end = line.offset
	v.buf = v.buf[:from]
	return line
}

// grow puts before what is held another block, or, where that is a part of a line, what there is up to the start of the line: it is
// looked for first, so that a line of many megabytes is held once.
func (v *Reverse) grow() error {
	from := max(v.start-reverseBlock, 0)
	if len(v.buf) >= reverseBlock {
		var err error
		if from, err = v.beforeLine(); err != nil {
			return err
		}
	}
	n := v.start - from
	grown := make([]byte, n+int64(len(v.buf)))
	if err := v.read(grown[:n], from); err != nil {
		return err
	}
	copy(grown[n:], v.buf)
	v.buf, v.start = grown, from
	return nil
}

// beforeLine is the start of the nearest block before what is held in which a line ends, or of the log.
func (v *Reverse) beforeLine() (int64, error) {
	block := make([]byte, reverseBlock)
	for at := v.start; at > 0; {
		n := min(reverseBlock, at)
		at -= n
		if err := v.read(block[:n], at); err != nil {
			return 0, err
		}
		if bytes.IndexByte(block[:n], '\n') >= 0 {
			return at, nil
		}
	}
	return 0, nil
}

func (v *Reverse) read(into []byte, at int64) error {
	if _, err := v.r.ReadAt(into, at); err != nil {
		return fmt.Errorf("reading the log at byte %d: %w", at, err)
	}
	return nil
}
