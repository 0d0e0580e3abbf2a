package sources

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
	return linesUpTo(ctx, r, LineMost, visit)
}

func linesUpTo(ctx context.Context, r io.Reader, most int, visit func(Line) error) error {
	const buffer = 256 << 10
	in := bufio.NewReaderSize(r, buffer)
	var text []byte
	meter := meterOf(ctx)
	for line := (Line{Number: 1}); ; line.Number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if text, line.Length, err = readLine(in, text[:0], most); err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading line %d: %w", line.Number, err)
		}
		if err != nil && line.Length == 0 {
			return nil
		}
		meter.Add(line.Length)
		line.Ended = err == nil
		line.Text = nil
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

// readLine appends a line with its end to text, as long as that stays below most; length is that of all of it.
func readLine(in *bufio.Reader, text []byte, most int) (_ []byte, length int64, err error) {
	for {
		part, err := in.ReadSlice('\n')
		length += int64(len(part))
		if length <= int64(most) {
			text = append(text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, length, err //nolint:wrapcheck // io.EOF has to stay what it is
		}
	}
}

var byteOrderMark = []byte("\xEF\xBB\xBF")

func trimLine(text []byte, offset int64) []byte {
	if offset == 0 {
		text = bytes.TrimPrefix(text, byteOrderMark)
	}
	return bytes.TrimRight(text, "\r\n")
}
