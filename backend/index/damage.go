package index

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

var (
	// errVersion marks an index that an older program made, and errNewer one of a newer program.
	errVersion = errors.New("it is of an older version of the program")
	errNewer   = errors.New("the index there is of a newer version of the program and stays as it is")
)

// damaged tells whether an error means that the database is not what was written. One of SQL is among them: the statements are
// right, so the tables must be wrong.
func damaged(err error) bool {
	if errors.Is(err, errDamaged) || errors.Is(err, errVersion) {
		return true
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch e.Code() & 0xFF {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_ERROR, lib.SQLITE_FORMAT, lib.SQLITE_CONSTRAINT,
		lib.SQLITE_MISMATCH, lib.SQLITE_TOOBIG, lib.SQLITE_RANGE, lib.SQLITE_EMPTY:
		return true
	case lib.SQLITE_IOERR:
		return e.Code() == lib.SQLITE_IOERR_SHORT_READ || e.Code() == lib.SQLITE_IOERR_CORRUPTFS || e.Code() == lib.SQLITE_IOERR_DATA
	}
	return false
}

// Unwritable tells whether an error means that nothing more can be written where the index is, be it that the disk is full or fails, a limit is
// reached or it may only be read. What was written before is not touched by that.
func Unwritable(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xFF {
		case lib.SQLITE_FULL, lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM, lib.SQLITE_IOERR:
			return !damaged(err)
		}
		return false
	}
	return slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO, syscall.EROFS, fs.ErrPermission}, func(one error) bool {
		return errors.Is(err, one)
	})
}

// Full tells whether an error is that of a disk that is full, or of a limit that is reached, as far as that can be told: a write that fails says no more.
func Full(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code()&0xFF == lib.SQLITE_FULL || e.Code() == lib.SQLITE_IOERR_WRITE || e.Code() == lib.SQLITE_IOERR_SHMSIZE)
}

// explained says what an error comes to for who reads it.
func explained(doing string, err error) error {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xFF {
		case lib.SQLITE_FULL:
			return fmt.Errorf("%s: the disk is full; sessions are not touched by this: %w", doing, err)
		case lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM:
			return fmt.Errorf("%s: its folder can't be written; sessions are not touched by this: %w", doing, err)
		case lib.SQLITE_BUSY:
			return fmt.Errorf("%s: another process is writing to it; try again: %w", doing, err)
		}
		if Full(err) { // which is not what it says
			return fmt.Errorf("%s: the disk seems to be full; sessions are not touched by this: %w", doing, err)
		}
	}
	return fmt.Errorf("%s: %w", doing, err)
}
