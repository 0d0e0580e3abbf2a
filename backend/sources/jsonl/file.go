// Package jsonl reads files of one JSON object a line, as most agents write them: whole, or only their ends.
//
// Lists look at the ends of thousands of files, whose lines are long texts of which nothing but a few short members is wanted. So both ends
// of a file are read once ([File.Forward], [File.Backward]), what a line says is a [View] of what was read and no copy, and [Fields] and
// [First] find members without a look at what other values hold. A list of 10,000 sessions takes less than half of the processor time that
// it took with gjson alone.
package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"

	"palimpsest/backend/borrow"
	"palimpsest/backend/sources"
)

// ErrIrregular is returned for what is no regular file: a link, a directory, a pipe, a device.
var ErrIrregular = errors.New("not a regular file")

// File is a regular file that is open for reading.
type File struct {
	*os.File
	Path    string
	Size    int64
	ModTime time.Time

	ends *ends
	// advised tells that the system knows already what will be read.
	advised bool
	// fields are what [File.Fields] gave.
	fields []*Fields
}

// Close closes the file. Lines of its ends are not valid any more.
func (f *File) Close() error {
	if f.ends != nil {
		f.ends.release()
		f.ends = nil
	}
	for _, fields := range f.fields {
		fields.release()
	}
	f.fields = nil
	return f.File.Close()
}

// OpenSession opens the file of a session, which is gone without it.
func OpenSession(found sources.Found) (*File, error) {
	if len(found.Files) == 0 {
		return nil, sources.ErrGone
	}
	file, err := Open(found.Files[0])
	if errors.Is(err, fs.ErrNotExist) {
		return nil, sources.ErrGone
	}
	return file, err
}

// Open opens a regular file. Links are not followed, and nothing else is opened, since that might block or act.
func Open(path string) (*File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	return open(path, info)
}

// open is [Open] of what was like that before.
func open(path string, before fs.FileInfo) (*File, error) {
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, ErrIrregular)
	}
	file, err := borrow.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !os.SameFile(before, info) {
		err = fmt.Errorf("%s: %w", path, ErrIrregular)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &File{File: file, Path: path, Size: info.Size(), ModTime: info.ModTime()}, nil
}

const (
	chunk = 16 << 10
	// Edge is how much of each end of a file a cheap read looks at.
	Edge = 64 << 10
	// firstMost is the longest first line: it holds who the session is, and instructions with it.
	firstMost = 8 << 20
)

// Forward gives the first lines of what is read, as [File.Forward] does. It reads no more than is asked for.
func Forward(r io.Reader) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var held []byte
		part := make([]byte, chunk)
		lines := 0
		for total := 0; total < Edge || lines == 0 && total < firstMost; {
			n, err := io.ReadFull(r, part)
			total += n
			held = append(held, part[:n]...)
			for {
				end := bytes.IndexByte(held, '\n')
				if end < 0 {
					break
				}
				if !yield(trim(held[:end], lines == 0)) {
					return
				}
				held = held[end+1:]
				lines++
			}
			if err != nil {
				if len(held) > 0 {
					yield(trim(held, lines == 0))
				}
				return
			}
		}
		// The file may end just here.
		if n, err := io.ReadFull(r, part[:1]); n == 0 && errors.Is(err, io.EOF) && len(held) > 0 {
			yield(trim(held, lines == 0))
		}
	}
}

func trim(line []byte, first bool) []byte {
	if first {
		line = Unmarked(line)
	}
	return bytes.TrimRight(line, "\r")
}
