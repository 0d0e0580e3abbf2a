package sqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"palimpsest/backend/borrow"
)

// The files of a database that are read. The index of shared memory beside them is rebuilt from the log.
const (
	walSuffix     = "-wal"
	journalSuffix = "-journal"
)

// walHeader is how long the header of a write-ahead log is. It changes whenever the log begins anew.
const walHeader = 32

// file is what tells whether a file changed.
type file struct {
	size  int64
	mtime time.Time
}

// state is that of a database's files at one moment.
type state struct {
	main, wal, journal file
	// generation is the header of the write-ahead log, empty without one.
	generation string
}

// newest is when any of the files was written last.
func (s state) newest() time.Time {
	out := s.main.mtime
	for _, f := range []file{s.wal, s.journal} {
		if f.mtime.After(out) {
			out = f.mtime
		}
	}
	return out
}

// errLogAlone is returned for a database of which only the log is left. SQLite deletes that as soon as somebody opens the database.
var errLogAlone = errors.New("its file is gone, and what its log has can't be read without it")

// look reads the state of the database at path.
func look(path string) (state, error) {
	var s state
	var err error
	if s.wal, err = statOptional(path + walSuffix); err != nil {
		return s, err
	}
	if s.main, err = stat(path); errors.Is(err, fs.ErrNotExist) && s.wal.size > walHeader {
		return s, errLogAlone
	}
	if err != nil {
		return s, err
	}
	if s.journal, err = statOptional(path + journalSuffix); err != nil {
		return s, err
	}
	if s.wal.size >= walHeader {
		s.generation, err = head(path+walSuffix, walHeader)
	}
	return s, err
}

// OfLog is the database that a file is the log of, by its name.
func OfLog(path string) (database string, ok bool) { return strings.CutSuffix(path, walSuffix) }

// HasLog tells whether a database has a log with something in it.
func HasLog(path string) bool {
	log, err := statOptional(path + walSuffix)
	return err == nil && log.size > walHeader
}

func stat(path string) (file, error) {
	info, err := os.Stat(path)
	if err != nil {
		return file{}, err
	}
	if !info.Mode().IsRegular() {
		return file{}, fmt.Errorf("%s is not a file", path)
	}
	return file{info.Size(), info.ModTime()}, nil
}

func statOptional(path string) (file, error) {
	f, err := stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return file{}, nil
	}
	return f, err
}

func head(path string, length int) (string, error) {
	f, err := borrow.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	text := make([]byte, length)
	n, err := io.ReadFull(f, text)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading %s: %w", path, err)
	}
	return string(text[:n]), nil
}

// one tells whether what was copied between before and after is one state of the database. Pages that move from the log into
// the main file meanwhile do no harm as long as the log still has them, which it has until it begins anew.
func one(before, after state) bool {
	if before.generation != after.generation || after.wal.size < before.wal.size || before.journal != after.journal {
		return false
	}
	return before.main == after.main || before.generation != ""
}
