package session

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"palimpsest/backend/ahead"
	"palimpsest/backend/record"
)

var (
	bom     = []byte{0xEF, 0xBB, 0xBF}
	newline = []byte{'\n'}
)

// rawLine is one physical line, without its newline. Its bytes are the reader's: valid until the next read.
type rawLine struct {
	bytes      []byte
	offset     int64
	end        int64 // behind the newline, if there is one
	terminated bool
	// header is what a look at the line told beforehand, if it was peeked at and told something.
	header record.Header
	peeked bool
}

// trim is [Content] of the line.
func (l rawLine) trim() ([]byte, bool) { return Content(l.bytes, l.offset == 0) }

// Content is a line without what editors and other systems put around it: a byte order mark at the start of the file, white
// space (CR included) at either end. The second result is false for a blank line.
func Content(line []byte, first bool) ([]byte, bool) {
	if first {
		line = bytes.TrimPrefix(line, bom)
	}
	line = bytes.Trim(line, " \t\r")
	return line, len(line) > 0
}

// bad describes a line that failed to be a record.
func (l rawLine) bad(err error, line, index int) badLine {
	b := badLine{place: place{l.offset, line, index}, terminated: l.terminated, reason: err.Error()}
	if why, ok := errors.AsType[*record.Error](err); ok {
		b.unparsable, b.truncated = why.Unparsable, why.Truncated
	}
	return b
}

// forwardLines reads lines of any length, one buffer for all of them.
type forwardLines struct {
	r      *bufio.Reader
	from   io.Reader
	long   []byte // for lines beyond the reader's buffer
	offset int64
}

// readers are kept for the next log: most logs are smaller than their buffer.
var readers = sync.Pool{New: func() any {
	const buffer = 256 << 10
	return bufio.NewReaderSize(nil, buffer)
}}

func newForwardLines(r io.Reader, offset int64) *forwardLines {
	in, _ := readers.Get().(*bufio.Reader) // the pool makes nothing else
	in.Reset(r)
	return &forwardLines{r: in, from: r, offset: offset}
}

// close ends the reading; lines that were read are valid no longer.
func (f *forwardLines) close() {
	f.r.Reset(nil)
	readers.Put(f.r)
}

// next returns io.EOF behind the last line.
func (f *forwardLines) next() (rawLine, error) {
	part, err := f.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		if whole := len(part) + int(ahead.Line(f.from)); whole > cap(f.long) {
			f.long = make([]byte, 0, whole)
		}
		f.long = append(f.long[:0], part...)
		for errors.Is(err, bufio.ErrBufferFull) {
			part, err = f.r.ReadSlice('\n')
			f.long = append(f.long, part...)
		}
		part = f.long
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return rawLine{}, fmt.Errorf("reading the log at byte %d: %w", f.offset+int64(len(part)), err)
	}
	if len(part) == 0 {
		return rawLine{}, io.EOF
	}
	line := rawLine{offset: f.offset, end: f.offset + int64(len(part)), terminated: err == nil, bytes: part}
	if line.terminated {
		line.bytes = part[:len(part)-1]
	}
	f.offset = line.end
	return line, nil
}
