package session

import (
	"errors"
	"io"
	"os"
)

// tail is where a log ends.
type tail struct {
	size int64
	// seq of the last record, 0 in an empty log.
	seq int64
	// terminated is false if the last line lacks its newline, whole or torn.
	terminated bool
}

// readTail reads the end of a log: the last line and, if that is no record, those before it until one is.
func readTail(file *os.File) (tail, error) {
	info, err := file.Stat()
	if err != nil {
		return tail{}, err
	}
	t := tail{size: info.Size(), terminated: true}
	if t.size == 0 {
		return t, nil
	}
	var last [1]byte
	if _, err := file.ReadAt(last[:], t.size-1); err != nil {
		return tail{}, err
	}
	t.terminated = last[0] == '\n'
	back := NewReverse(file, t.size)
	entry, err := back.Prev()
	if err != nil && !errors.Is(err, io.EOF) {
		return tail{}, err
	}
	t.seq = entry.Seq
	return t, nil
}
