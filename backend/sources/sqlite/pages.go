package sqlite

import (
	"context"
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
	size int64

	mu sync.Mutex
	// seed and read are sums of the pages that were read from the main file.
	seed maphash.Seed
	read map[uint32]uint64
}

// pagesOf are those of a main file of this size, and a log.
func pagesOf(main io.ReaderAt, size int64, wal *walIndex) *pages {
	if wal.pages > 0 {
		size = wal.pages * wal.page
	}
	return &pages{main: main, wal: wal, size: size, seed: maphash.MakeSeed(), read: map[uint32]uint64{}}
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

// readPart reads up to the end of a page.
func (p *pages) readPart(into []byte, from int64) (int, error) {
	if p.wal.page == 0 {
		return p.main.ReadAt(into, from) //nolint:wrapcheck // SQLite asks for no more than whether there is one
	}
	number, within := from/p.wal.page+1, from%p.wal.page
	into = into[:min(int64(len(into)), p.wal.page-within)]
	if at, changed := p.wal.at[uint32(number)]; changed {
		return p.wal.log.ReadAt(into, at+within) //nolint:wrapcheck // the same
	}
	n, err := p.main.ReadAt(into, from)
	if int64(n) == p.wal.page {
		p.mu.Lock()
		p.read[uint32(number)] = maphash.Bytes(p.seed, into)
		p.mu.Unlock()
	}
	return n, err //nolint:wrapcheck // the same
}

// mixed tells whether a page that was read from the main file may have been moved there from what was written to the log since that was
// read. Such a page is as the log has it; one that is not is as it was before.
func (p *pages) mixed(ctx context.Context) (mixed bool, err error) {
	err = p.wal.more(ctx, func(number uint32, page []byte) {
		sum, read := p.read[number]
		mixed = mixed || read && sum == maphash.Bytes(p.seed, page)
	})
	return mixed, err
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
