package backend

import (
	"io"

	"palimpsest/backend/session"
)

// indexes are that of a log, and that of as much of it as stands whatever follows: from there one goes on where what is behind it was taken
// back.
type indexes struct{ index, stood session.Index }

// extend brings both up to date with a log of which the end, of so many bytes, may be taken back; where it skims, by [session.Index.Skim]. On an
// error they are as they were.
func (x *indexes) extend(log io.ReaderAt, size, end int64, skims bool) error {
	way := (*session.Index).Extend
	if skims {
		way = (*session.Index).Skim
	}
	next, stands := *x, max(size-end, 0)
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
