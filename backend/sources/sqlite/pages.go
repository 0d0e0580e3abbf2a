package sqlite

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"
)

// pages are a database as it was at one moment, read where it is: each page from the log or, if that has not changed it, from the main file.
// It is the one file of a file system that can only be read.
type pages struct {
	main io.ReaderAt
	wal  *walIndex
	// page is how long one is, 0 if the file is no database. size is how long all are that are there.
	page, size int64
	// cut says that some are missing, nil if none are.
	cut error

	mu sync.Mutex
	// read are sums of the pages that were read from the main file, and twice says that one was another page when it was read again.
	seed  maphash.Seed
	read  map[int64]uint64
	twice bool
}

// pagesOf are those of a main file in this state, and a log.
func pagesOf(main io.ReaderAt, now state, wal *walIndex) *pages {
	p := &pages{main: main, wal: wal, page: pageOf(now.header), size: now.main.size, seed: maphash.MakeSeed(), read: map[int64]uint64{}}
	switch {
	case wal.pages > 0:
		p.page, p.size = wal.page, wal.pages*wal.page
	case p.page > 0:
		if missing, of := missingOf(now.header, p.size); missing > 0 {
			p.cut = errCut(missing, of)
		}
		p.size -= p.size % p.page // SQLite would fill the rest of it with zeros
	}
	return p
}

// pagesName is what the file is called.
const pagesName = "database"

var _ fs.StatFS = (*pages)(nil)

// Open opens the file. It has nothing beside it: neither log nor journal.
func (p *pages) Open(name string) (fs.File, error) {
	if name != pagesName {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &pagesFile{SectionReader: io.NewSectionReader(p, 0, p.size)}, nil
}

// Stat tells of the file.
func (p *pages) Stat(name string) (fs.FileInfo, error) {
	if name != pagesName {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return pagesInfo(p.size), nil
}

// ReadAt is as [io.ReaderAt] has it.
func (p *pages) ReadAt(into []byte, from int64) (n int, err error) {
	for n < len(into) && err == nil {
		var got int
		got, err = p.readPart(into[n:], from+int64(n))
		n += got
	}
	return n, err
}

// errPage is returned for a page that the log counts, and that is neither there nor in the main file. At the end of a file, SQLite would
// take it for zeros.
var errPage = errors.New("a page is missing")

// readPart reads up to the end of a page.
func (p *pages) readPart(into []byte, from int64) (int, error) {
	if p.page == 0 {
		return p.main.ReadAt(into, from) //nolint:wrapcheck // SQLite asks for no more than whether there is one
	}
	number, within := from/p.page+1, from%p.page
	into = into[:min(int64(len(into)), p.page-within)]
	if at, changed := p.wal.at[uint32(number)]; changed {
		return p.wal.log.ReadAt(into, at+within) //nolint:wrapcheck // the same
	}
	n, err := p.main.ReadAt(into, from)
	switch {
	case int64(n) == p.page:
		p.note(number, into)
		return n, nil
	case errors.Is(err, io.EOF) && n < len(into):
		return 0, errPage
	}
	return n, err //nolint:wrapcheck // the same
}

// note takes down what a page was that was read from the main file.
func (p *pages) note(number int64, page []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := maphash.Bytes(p.seed, page)
	if before, again := p.read[number]; again && before != sum {
		p.twice = true
	}
	p.read[number] = sum
}

// pagesFile is the file, open.
type pagesFile struct{ *io.SectionReader }

// Stat tells how long it is.
func (f *pagesFile) Stat() (fs.FileInfo, error) { return pagesInfo(f.Size()), nil }

// Close leaves the files of the database to who opened them.
func (f *pagesFile) Close() error { return nil }

// pagesInfo is what is known of the file.
type pagesInfo int64

func (i pagesInfo) Name() string       { return pagesName }
func (i pagesInfo) Size() int64        { return int64(i) }
func (i pagesInfo) Mode() fs.FileMode  { return 0o400 }
func (i pagesInfo) ModTime() time.Time { return time.Time{} }
func (i pagesInfo) IsDir() bool        { return false }
func (i pagesInfo) Sys() any           { return nil }

// openOptional opens a file that need not be there, as if it were empty then.
func openOptional(path string, open func(string) (*os.File, error)) (io.ReaderAt, func() error, error) {
	file, err := open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nothing{}, func() error { return nil }, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("opening its log: %w", err)
	}
	return file, file.Close, nil
}

// nothing is an empty file.
type nothing struct{}

// ReadAt is as [io.ReaderAt] has it.
func (nothing) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }
