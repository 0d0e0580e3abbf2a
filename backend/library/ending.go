package library

import (
	"errors"
	"io"
)

// endMost is how much there is, at least, of the end of a log that is written nowhere.
const endMost = 1 << 20

var errNotHeld = errors.New("only the end of the log is held")

// ending is the end of a log that is written nowhere.
type ending struct {
	// text begins at this place of the log.
	at   int64
	text []byte
}

func (e *ending) write(p []byte) {
	if len(e.text)+len(p) > 2*endMost { // then what is too old is let go of, so that each byte is moved once
		over := len(e.text) + len(p) - endMost
		gone := min(over, len(e.text))
		e.text = e.text[:copy(e.text, e.text[gone:])]
		p = p[over-gone:]
		e.at += int64(over)
	}
	e.text = append(e.text, p...)
}

// ReadAt is as [io.ReaderAt] has it.
func (e *ending) ReadAt(p []byte, off int64) (int, error) {
	if off < e.at {
		return 0, errNotHeld
	}
	n := copy(p, e.text[min(off-e.at, int64(len(e.text))):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
