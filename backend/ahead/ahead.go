// Package ahead looks how long a line is before it is read, so that a long one is read into as much memory as it takes: one that grows
// while it is read takes more than twice that.
package ahead

import (
	"bytes"
	"io"
)

// Line is how far it is to the end of the line that a reader stands in, with its newline; 0 where the reader can't go back.
func Line(r io.Reader) (length int64) {
	file, ok := r.(io.Seeker)
	if !ok {
		return 0
	}
	here, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	const piece = 64 << 10
	part := make([]byte, piece)
	for {
		n, err := r.Read(part)
		if end := bytes.IndexByte(part[:n], '\n'); end >= 0 {
			length += int64(end) + 1
			break
		}
		if length += int64(n); err != nil {
			break
		}
	}
	if _, err := file.Seek(here, io.SeekStart); err != nil {
		return 0 // and so says the next who reads
	}
	return length
}
