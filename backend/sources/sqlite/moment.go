package sqlite

import (
	"context"
	"hash/maphash"
	"time"
)

// whole tells whether all pages that were read since the database at path was in this state are of one moment. began is before that.
//
// With a log, what is written goes there first. It gets into the main file a page at a time, and one that is read meanwhile may be half of
// what it was and half of what it becomes. So none is trusted of which the log has a newer one, unless the file shows that it was not
// written to at all. Without a log, a journal stands beside the file as long as it is changed, its header counts the changes, and a page
// that is read once more, when nobody is at work, has to be what it was.
func (p *pages) whole(ctx context.Context, path string, before state, began time.Time) (bool, error) {
	if p.wal.page == 0 {
		if _, stands := before.stands(path, false); !stands || p.twice {
			return false, nil
		}
		return p.same(ctx)
	}
	if err := p.wal.more(ctx); err != nil {
		return false, err
	}
	after, stands := before.stands(path, true)
	untouched := before.main == after.main && before.main.showing(began)
	return stands && (untouched || !p.moved()), nil
}

// moved tells whether the log by now has pages that were read from the main file.
func (p *pages) moved() bool {
	for number := range p.read {
		if _, newer := p.wal.at[uint32(number)]; newer {
			return true
		}
	}
	return false
}

// same tells whether the pages that were read from the main file still are what they were.
func (p *pages) same(ctx context.Context) (bool, error) {
	page := make([]byte, p.page)
	for number, sum := range p.read {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if _, err := p.main.ReadAt(page, (number-1)*p.page); err != nil || maphash.Bytes(p.seed, page) != sum {
			return false, nil //nolint:nilerr // it is another one, or none
		}
	}
	return true, nil
}
