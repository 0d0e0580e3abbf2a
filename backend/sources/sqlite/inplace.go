package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"time"

	"modernc.org/sqlite/vfs"

	"palimpsest/backend/borrow"
)

// InPlace lets read ask the database at path as it is now, however large: only the pages that this takes are read, and nothing is copied.
// If it is written meanwhile so that they are not those of one moment, read is called once more, and what it did before does not count.
// The writer is not kept waiting, so read should be quick. Only a change that a crash left half done takes a copy, below temp. Of a database
// whose end is missing, read has what is left, and the error says how much is missing.
func (c *Cache) InPlace(ctx context.Context, temp, path string, read func(db *sql.DB) error) error {
	for try := 0; try <= tries; try++ {
		if whole, err := c.inPlace(ctx, temp, path, read); whole {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("reading the database %s: %w", path, ctx.Err())
		case <-time.After(pause << min(try, 4)):
		}
	}
	return fmt.Errorf("reading the database %s: %w", path, ErrBusy)
}

// inPlace tries once, and tells whether what was read, or could not be, was one state of the database.
func (c *Cache) inPlace(ctx context.Context, temp, path string, read func(db *sql.DB) error) (whole bool, err error) {
	began := time.Now()
	before, err := look(path)
	if err == nil && before.main.size == 0 && before.wal.size > walHeader {
		err = errEmpty
	}
	if err != nil {
		return true, fmt.Errorf("reading the database %s: %w", path, err)
	}
	if before.journal.size > 0 {
		db, release, err := c.Open(ctx, temp, path)
		if err != nil {
			return true, err
		}
		return true, errors.Join(read(db.DB), release())
	}
	return readPages(ctx, path, before, began, read) // what is of no one moment may well seem damaged
}

// readPages lets read ask a database whose state is known, and tells whether what it saw was that.
func readPages(ctx context.Context, path string, now state, began time.Time, read func(db *sql.DB) error) (whole bool, err error) {
	main, err := borrow.Open(path)
	if err != nil {
		return true, fmt.Errorf("reading the database %s: %w", path, err)
	}
	defer main.Close()
	log, release, err := openOptional(path+walSuffix, borrow.Open)
	if err != nil {
		return true, fmt.Errorf("reading the database %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, release()) }()
	wal, err := openWAL(ctx, log)
	if err != nil {
		return true, fmt.Errorf("reading the database %s: %w", path, err)
	}
	p := pagesOf(main, now, wal)
	if err = p.ask(read); err != nil {
		err = fmt.Errorf("reading the database %s: %w", path, err)
	}
	whole, failed := p.whole(ctx, path, now, began)
	return whole, errors.Join(err, failed)
}

// ask lets read ask the database that the pages are.
func (p *pages) ask(read func(db *sql.DB) error) error {
	name, files, err := vfs.New(p)
	if err != nil {
		return fmt.Errorf("opening it: %w", err)
	}
	params := url.Values{"vfs": {name}, "mode": {"ro"}, "immutable": {"1"}, "_pragma": { // immutable is what these pages are
		"trusted_schema(0)", "query_only(1)", "temp_store(memory)", // what is sorted stays in memory, as there is no place for files
	}}
	connect := opened
	if p.cut != nil { // as of a copy
		params["_pragma"] = append(params["_pragma"], "writable_schema(1)")
		connect = tolerantly
	}
	db, err := connect(address(pagesName, params))
	if err != nil {
		return errors.Join(err, files.Close())
	}
	err = read(db)
	return errors.Join(err, p.cut, db.Close(), files.Close())
}
