package index

import (
	"context"
	"errors"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// busyTries is how often it is tried to write while others do, each time for as long as SQLite waits: an index that is written anew, so that
// it forgets, is held for minutes. One that is held for longer is so by a program that was stopped.
const busyTries = 30

// patient calls f again as long as it fails because another process writes.
func patient(ctx context.Context, f func() error) (err error) {
	for range busyTries {
		if err = f(); !busy(err) || ctx.Err() != nil {
			return err
		}
	}
	return err
}

func busy(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xFF == lib.SQLITE_BUSY
}
