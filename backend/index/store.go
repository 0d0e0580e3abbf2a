package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/lockedfile"
	_ "modernc.org/sqlite" // the driver, in Go
)

const (
	fileName = "index.db"
	// besideName is that of an index that stands beside one of a newer version.
	besideName = "index-%d.db"
	lockName   = "index.lock"
	// readers is how many may read at a time.
	readers = 4
)

// store is the open database.
type store struct {
	path  string
	file  os.FileInfo // which file was opened
	write *prepared   // the one connection that writes
	read  *prepared
	reads *sql.DB // what read is from
	close func() error
}

// openStore opens the database of a directory. If it can't be used as it is, it is set aside and begun anew, and why says so. before is
// the file that the caller found damaged, if one. One of a newer program stays as it is, and another stands beside it.
func openStore(ctx context.Context, dir string, before os.FileInfo) (s *store, why error, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, lockName)).Lock()
	if err != nil {
		return nil, nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	defer unlock()
	path := filepath.Join(dir, fileName)
	if !isNewer(path) {
		return openFile(ctx, path, before)
	}
	path = filepath.Join(dir, fmt.Sprintf(besideName, version))
	_, there := os.Stat(path)
	if s, why, err = openFile(ctx, path, before); why == nil && errors.Is(there, fs.ErrNotExist) {
		why = errNewer
	}
	return s, why, err
}

// isNewer is whether a newer program made an index. That stands in its first page twice, so that a number which became another one is not
// taken for it. SQLite is not asked: opening it writes to it.
func isNewer(path string) bool {
	c, err := carve(path)
	if err != nil {
		return false
	}
	defer func() { _ = c.close() }() // opened for reading
	found, again := c.version()
	return version < found && found == again
}

// isStrange is whether the first page of a database says what none of ours does of who may write it: SQLite takes it for one that nobody may.
func isStrange(path string) bool {
	c, err := carve(path)
	if err != nil {
		return false
	}
	defer func() { _ = c.close() }() // opened for reading
	page := make([]byte, pageSize)
	return c.page(1, page) && (page[18] > 2 || page[19] > 2)
}

// isEmptied is whether a database has nothing left but its log of writes, which SQLite deletes then.
func isEmptied(path string, info os.FileInfo) bool {
	writes, err := os.Stat(path + "-wal")
	return info.Size() == 0 && err == nil && writes.Size() > 0
}

func openFile(ctx context.Context, path string, before os.FileInfo) (s *store, why error, err error) {
	if err := removeStrange(path); err != nil {
		return nil, nil, fmt.Errorf("deleting what is no index: %w", err)
	}
	if now, err := os.Stat(path); err == nil && (before != nil && os.SameFile(before, now) || isEmptied(path, now)) {
		why = errDamaged
	} else {
		if s, err = tryStore(ctx, path); err == nil {
			return s, nil, nil
		}
		if !damaged(err) && !isStrange(path) {
			return nil, nil, err
		}
		why = err
	}
	if err := setAside(path); err != nil {
		return nil, nil, fmt.Errorf("setting a damaged index aside: %w", err)
	}
	if s, err = tryStore(ctx, path); err != nil {
		return nil, nil, err
	}
	return s, why, nil
}

// suffixes are those of the files of a database, its own last.
var suffixes = []string{"-wal", "-shm", "-journal", ""}

// removeStrange removes what has the name of a file of the database and is none: a directory, a pipe, a link that leads nowhere. SQLite
// would fail for it as it does for a folder that can't be written.
func removeStrange(path string) error {
	var errs []error
	for _, suffix := range suffixes {
		if _, err := os.Lstat(path + suffix); err != nil {
			continue // not there, as a rule
		}
		if info, err := os.Stat(path + suffix); err != nil || !info.Mode().IsRegular() {
			errs = append(errs, os.RemoveAll(path+suffix))
		}
	}
	return errors.Join(errs...)
}

func remove(path string) error {
	var errs []error
	for _, suffix := range suffixes {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// tryStore opens the database at path, and makes it if there is none.
func tryStore(ctx context.Context, path string) (s *store, err error) {
	var closers []func() error
	closeAll := func() error {
		var errs []error
		for _, c := range slices.Backward(closers) {
			errs = append(errs, c())
		}
		return errors.Join(errs...)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, closeAll())
		}
	}()
	writer, err := connect(path, 1, append(pragmas(), "auto_vacuum(2)", "secure_delete(1)", "journal_mode(WAL)", "cache_size(-4000)", "wal_autocheckpoint(2000)", "journal_size_limit(8388608)"))
	if err != nil {
		return nil, err
	}
	closers = append(closers, writer.Close)
	conn, err := writer.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	closers = append(closers, conn.Close)
	s = &store{path: path, write: prepare(conn), close: closeAll}
	closers = append(closers, s.write.close)
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	// What is read again and again are the upper pages of some tables. The rest is large, and the system has it, too.
	if s.reads, err = connect(path, readers, append(pragmas(), "query_only(1)", "cache_size(-500)")); err != nil {
		return nil, err
	}
	closers = append(closers, s.reads.Close)
	s.read = prepare(s.reads)
	closers = append(closers, s.read.close)
	if s.file, err = os.Stat(path); err != nil {
		return nil, err
	}
	return s, nil
}

func pragmas() []string {
	return []string{"busy_timeout(10000)", "synchronous(1)", "trusted_schema(0)"}
}

func connect(path string, most int, pragmas []string) (*sql.DB, error) {
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

// ready checks what is there and makes what is not.
func (s *store) ready(ctx context.Context) error {
	return s.write.within(ctx, func() error {
		var found, tables int
		if err := s.write.QueryRowContext(ctx, "SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)").Scan(&found, &tables); err != nil {
			return fmt.Errorf("opening the index: %w", err)
		}
		if found != version && tables > 0 {
			return fmt.Errorf("%w (%d, not %d)", errVersion, found, version)
		}
		if tables > 0 {
			_, err := readState(ctx, s.write)
			return err
		}
		for _, statement := range append(schema, fmt.Sprintf("PRAGMA user_version = %d", version), fmt.Sprintf("PRAGMA application_id = %d", version)) {
			if err := s.write.exec(ctx, statement); err != nil {
				return err
			}
		}
		return (&state{next: 1}).save(ctx, s.write)
	})
}

// moved says that the file at the store's path is no longer the one that was opened: somebody deleted it, or began it anew.
func (s *store) moved() bool {
	now, err := os.Stat(s.path)
	return err != nil && errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(s.file, now)
}
