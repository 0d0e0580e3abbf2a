package backend

import (
	"io"

	"palimpsest/backend/session"
)

// indexes are that of a log, and that of as much of it as stands whatever follows: from there one goes on where what is behind it was taken
// back.
type indexes struct{ index, stood session.Index }

// extend brings both up to date in a way that indexes have. On an error they are as they were.
func (x *indexes) extend(way func(*session.Index, io.ReaderAt, int64) error, log io.ReaderAt, size, stands int64) error {
	next := *x
	if next.index.Size > size || next.stood.Size > stands {
		next = indexes{}
	}
	grown := next.index.Size <= stands
	if grown {
		next.stood = next.index
	}
	if err := way(&next.stood, log, stands); err != nil {
		return err
	}
	if grown {
		next.index = next.stood
	}
	if err := way(&next.index, log, size); err != nil {
		return err
	}
	*x = next
	return nil
}
