package sources

import (
	"context"
	"errors"

	"palimpsest/backend/keep"
	"palimpsest/backend/record"
)

// Follower is a source that can go on where a reading ended, so that of a file that grows only what is new is read.
type Follower interface {
	Source
	// Follow reads a session as Read does. What it returns reads on; it is nil where that can't be, as for a session in several files.
	Follow(ctx context.Context, env Env, found Found, log *Log) (Reading, error)
	// Resume reads the reading that another program kept, and no more of its session than tells that it is the one. It returns [ErrAnew] if
	// that can't be read on from any more.
	Resume(ctx context.Context, env Env, found Found, kept *keep.State) (Reading, error)
}

// Reading is one that can go on. It holds what its source knows at the end of a file, and nothing that is open. As a [keep.Keeper] it writes
// that for [Follower.Resume].
type Reading interface {
	keep.Keeper
	// Place is how far the file was read: whole lines.
	Place() int64
	// Seq is that of the last record that stands, and Again the lines behind it: they were written as things stood at the end of the
	// file, and are written once more by what goes on, perhaps otherwise.
	Seq() int64
	Again() []byte
	// More reads what was appended since into a log that begins behind Seq. It returns [ErrAnew] if something of it changes what was
	// written before; then, and after any other error, the reading is of no more use.
	More(ctx context.Context, found Found, log *Log) error
}

// ErrAnew says that a session has to be read from the beginning.
var ErrAnew = errors.New("the session is to be read from the beginning")

// Lines are those that are written meanwhile.
func (l *Log) Lines(meanwhile func()) (lines []byte) {
	before := l.show
	l.show = func(line []byte, rec *record.Record, copied bool) error {
		lines = append(append(lines, line...), '\n')
		if before != nil {
			return before(line, rec, copied)
		}
		return nil
	}
	meanwhile()
	l.show = before
	return lines
}

// Behind has the log go on behind a record.
func (l *Log) Behind(seq int64) { l.seq = seq }
