package sources

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"palimpsest/backend/ahead"
)

// LineMost is the longest line that is read: a longer one is told of, and skipped. Agents have written records of tens of megabytes.
const LineMost = 256 << 20

// Line is one line of a file. Text is valid until the visit returns.
type Line struct {
	// Number counts from 1, and Offset is that of its first byte.
	Number int
	Offset int64
	// Text is without the line's end and a byte order mark. It is nil for a line over [LineMost].
	Text []byte
	// Long tells that the text stays what it is as long as somebody holds it.
	Long bool
	// Ended tells that the line has its newline; without, its writer may not be done.
	Ended bool
	// Length is that of the line in the file, with its end.
	Length int64
}

// Lines visits the lines of a file, blank ones too. Its memory is that of the longest line.
func Lines(ctx context.Context, r io.Reader, visit func(Line) error) error {
	return linesUpTo(ctx, r, 0, LineMost, visit)
}

// LinesFrom visits the lines of a part of a file that begins with a line; their numbers count from there.
func LinesFrom(ctx context.Context, r io.ReaderAt, from, to int64, visit func(Line) error) error {
	return linesUpTo(ctx, io.NewSectionReader(r, from, to-from), from, LineMost, visit)
}

func linesUpTo(ctx context.Context, r io.Reader, from int64, most int, visit func(Line) error) error {
	in, _ := lineReaders.Get().(*lineReader) // the pool makes nothing else
	in.Reset(r)
	in.from = r
	defer in.release()
	meter := meterOf(ctx)
	for line := (Line{Number: 1, Offset: from}); ; line.Number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, length, long, err := in.line(most)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading line %d: %w", line.Number, err)
		}
		if err != nil && length == 0 {
			return nil
		}
		meter.Add(length)
		line.Length, line.Ended, line.Text, line.Long = length, err == nil, nil, long
		if int64(len(text)) == line.Length {
			line.Text = trimLine(text, line.Offset)
		}
		if err := visit(line); err != nil {
			return err
		}
		if !line.Ended {
			return nil
		}
		line.Offset += line.Length
	}
}

// lineReader reads lines.
type lineReader struct {
	*bufio.Reader
	from io.Reader
}

// lineReaders are kept for the next file: most files are smaller than the buffer.
var lineReaders = sync.Pool{New: func() any {
	const buffer = 256 << 10
	return &lineReader{Reader: bufio.NewReaderSize(nil, buffer)}
}}

func (in *lineReader) release() {
	in.Reset(nil)
	in.from = nil
	lineReaders.Put(in)
}

// line reads one with its end, as long as that stays below most; length is that of all of it. The text is valid until the next, but that
// of a long one, which has a place of its own.
func (in *lineReader) line(most int) (text []byte, length int64, long bool, err error) {
	part, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		if len(part) > most {
			return nil, int64(len(part)), false, err
		}
		return part, int64(len(part)), false, err
	}
	whole := int64(len(part)) + ahead.Line(in.from)
	if whole <= int64(most) {
		text = make([]byte, 0, whole)
	}
	for {
		if length += int64(len(part)); max(length, whole) <= int64(most) {
			text = append(text, part...)
		} else {
			text = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, length, true, err //nolint:wrapcheck // io.EOF has to stay what it is
		}
		part, err = in.ReadSlice('\n')
	}
}

var byteOrderMark = []byte("\xEF\xBB\xBF")

func trimLine(text []byte, offset int64) []byte {
	if offset == 0 {
		text = bytes.TrimPrefix(text, byteOrderMark)
	}
	return bytes.TrimRight(text, "\r\n")
}
