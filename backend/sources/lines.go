package sources

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
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
	defer in.release()
	meter := meterOf(ctx)
	for line := (Line{Number: 1, Offset: from}); ; line.Number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, length, err := in.line(most)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading line %d: %w", line.Number, err)
		}
		if err != nil && length == 0 {
			return nil
		}
		meter.Add(length)
		line.Length, line.Ended, line.Text = length, err == nil, nil
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

// lineReader reads lines; long holds one that does not fit into its buffer.
type lineReader struct {
	*bufio.Reader
	long []byte
}

// lineReaders are kept for the next file: most files are smaller than the buffer.
var lineReaders = sync.Pool{New: func() any {
	const buffer = 256 << 10
	return &lineReader{Reader: bufio.NewReaderSize(nil, buffer)}
}}

func (in *lineReader) release() {
	const most = 1 << 20
	in.Reset(nil)
	if cap(in.long) > most {
		in.long = nil
	}
	lineReaders.Put(in)
}

// line reads one with its end, as long as that stays below most; length is that of all of it. The text is valid until the next.
func (in *lineReader) line(most int) (text []byte, length int64, err error) {
	part, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		if len(part) > most {
			return nil, int64(len(part)), err
		}
		return part, int64(len(part)), err
	}
	text = in.long[:0]
	for {
		if length += int64(len(part)); length <= int64(most) {
			text = append(text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			in.long = text
			return text, length, err //nolint:wrapcheck // io.EOF has to stay what it is
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
