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
// The writer is not kept waiting, so read should be quick. Only a change that a crash left half done takes a copy, below temp.
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
	mixed, err := readPages(ctx, path, before, read)
	after, failed := look(path)
	return !mixed && failed == nil && one(before, after), err // what is of no one moment may well seem damaged
}

// readPages lets read ask a database whose state is known, and tells whether it may have seen more than one state.
func readPages(ctx context.Context, path string, now state, read func(db *sql.DB) error) (mixed bool, err error) {
	main, err := borrow.Open(path)
	if err != nil {
		return false, fmt.Errorf("reading the database %s: %w", path, err)
	}
	defer main.Close()
	log, release, err := openOptional(path+walSuffix, borrow.Open)
	if err != nil {
		return false, fmt.Errorf("reading the database %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, release()) }()
	wal, err := openWAL(ctx, log)
	if err != nil {
		return false, fmt.Errorf("reading the database %s: %w", path, err)
	}
	p := pagesOf(main, now.main.size, wal)
	if err = p.ask(read); err != nil {
		err = fmt.Errorf("reading the database %s: %w", path, err)
	}
	mixed, failed := p.mixed(ctx)
	return mixed, errors.Join(err, failed)
}

// ask lets read ask the database that the pages are.
func (p *pages) ask(read func(db *sql.DB) error) error {
	name, files, err := vfs.New(p)
	if err != nil {
		return fmt.Errorf("opening it: %w", err)
	}
	// Immutable is what these pages are. What is sorted stays in memory, as there is no place for files.
	db, err := sql.Open("sqlite", address(pagesName, url.Values{"vfs": {name}, "mode": {"ro"}, "immutable": {"1"}, "_pragma": {
		"trusted_schema(0)", "query_only(1)", "temp_store(memory)",
	}}))
	if err != nil {
		return errors.Join(fmt.Errorf("opening it: %w", err), files.Close())
	}
	err = read(db)
	return errors.Join(err, db.Close(), files.Close())
}
