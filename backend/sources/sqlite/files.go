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
	"palimpsest/backend/inode"
)

// The files of a database that are read. The index of shared memory beside them is rebuilt from the log.
const (
	walSuffix     = "-wal"
	journalSuffix = "-journal"
)

// walHeader is how long the header of a write-ahead log is. It changes whenever the log begins anew.
const walHeader = 32

// file is what tells whether a file changed, or is another one.
type file struct {
	size    int64
	mtime   time.Time
	changed int64
	number  string
}

// fileOf is what a look at a file says.
func fileOf(info fs.FileInfo) file {
	return file{info.Size(), info.ModTime(), inode.Changed(info), inode.Number(info)}
}

// state is that of a database's files at one moment.
type state struct {
	main, wal, journal file
	// header is that of the main file. It counts changes: two may come within one tick of the clock of times.
	header string
	// generation is the header of the write-ahead log, empty without one.
	generation string
}

// errLogAlone is returned for a database of which only the log is left. SQLite deletes that as soon as somebody opens the database.
var errLogAlone = errors.New("its file is gone, and what its log has can't be read without it")

// look reads the state of the database at path. The journal is looked for after the header was read: where there is none then, nobody is
// half-way through a change that the header counts already.
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
	if s.header, err = head(path, headerLength); err != nil {
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
	return fileOf(info), nil
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

// stands tells whether what was read of the database at path since s is of one state of it, as far as its log and its journal say. What
// was moved from the log into the main file meanwhile does no harm to who reads the log after it: the log has it until it begins anew.
// Without a log, the main file has to be what it was.
func (s state) stands(path string, logged bool) (after state, stands bool) {
	after, err := look(path)
	if err != nil || s.generation != after.generation || after.wal.size < s.wal.size || s.journal != after.journal {
		return after, false
	}
	if logged {
		return after, true
	}
	// Whoever was at work when the journal was looked for has counted the change by now.
	header, err := head(path, headerLength)
	return after, err == nil && s.main == after.main && s.header == header
}

// coarsest is the longest tick of the clock that a file system takes times from.
const coarsest = 2 * time.Second

// showing tells whether a file was written long enough before a moment for whatever is written to it after that to show in its time.
func (f file) showing(at time.Time) bool { return at.Sub(f.mtime) > coarsest }

// showing tells it of all files of a database.
func (s state) showing(at time.Time) bool {
	return s.main.showing(at) && s.wal.showing(at) && s.journal.showing(at)
}
