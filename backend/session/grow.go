package session

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Grow is [Store.Put] of a session that begins with all of another one: fill adds to its log, and its blobs are linked. What was counted of
// that is not counted again. What fill wrote before it failed is cut off.
//
// The first that grows of a session goes on in the same file, so that it takes no longer than what is added; any other one copies. So of a
// log of which one grew there may be more than its metadata has counted: whole lines of the one that grew, and half of one if its
// maker was killed.
func (s *Store) Grow(id, from string, n New, createdAt time.Time, fill func(dir string, log *os.File) error) (Metadata, error) {
	return s.GrowOf(id, from, n, createdAt, func(dir string, begin Begin) error {
		log, err := begin(nil)
		if err != nil {
			return err
		}
		return fill(dir, log)
	})
}

// Begin has a session begin with the log of the one that it grows of, with no more of it than [Store.Counted] gave if that is not nil, and returns
// its log for more.
type Begin func(counted *Metadata) (*os.File, error)

// GrowOf is [Store.Grow] where fill says, once, how much of the log of the other session it begins with.
func (s *Store) GrowOf(id, from string, n New, createdAt time.Time, fill func(dir string, begin Begin) error) (Metadata, error) {
	if err := CheckID(id); err != nil {
		return Metadata{}, err
	}
	if err := n.check(); err != nil {
		return Metadata{}, err
	}
	before, err := s.Metadata(from)
	if err != nil {
		return Metadata{}, err
	}
	if before.Log == nil {
		return Metadata{}, fmt.Errorf("session %s: how long it was: %w", from, ErrNotFound)
	}
	m := Metadata{Model: before.Model}
	err = s.putAs(id, n, createdAt, &m, func(dir string) error {
		if err := s.takeOver(from, dir); err != nil {
			return err
		}
		var log *os.File
		size := int64(0)
		err := fill(dir, func(counted *Metadata) (_ *os.File, err error) {
			if counted == nil {
				counted = &before
			}
			size = counted.Log.Size
			m.Model = cmp.Or(counted.Model, n.Model)
			m.MessageCount, m.LastMessageAt, m.Metrics, m.Edits, m.Log = counted.MessageCount, counted.LastMessageAt, counted.Metrics, counted.Edits, counted.Log
			if log, err = s.begin(from, dir, size); err != nil {
				return nil, fmt.Errorf("taking over a log: %w", err)
			}
			return log, nil
		})
		if log == nil {
			return err
		}
		if err != nil {
			_ = log.Truncate(size) // what is behind it is nobody's
		}
		return errors.Join(err, log.Close())
	})
	return m, err
}

// Counted is what the metadata of a session would say if its log were no longer than size, which ends a line. It counts on from what it said of one
// that was shorter yet, if that is not nil. It has no Log where that can't be counted.
func (s *Store) Counted(id string, shorter *Metadata, size int64) (Metadata, error) {
	var m Metadata
	if shorter != nil {
		m = *shorter
	}
	log, err := s.OpenLog(id)
	if err != nil {
		return m, err
	}
	defer func() { _ = log.Close() }() // opened for reading
	x, err := countsTo(log, m, size)
	if err != nil {
		return m, fmt.Errorf("counting a log: %w", err)
	}
	m.follow(id, x)
	return m, nil
}

// takeOver links the blobs of a session into another one in the making.
func (s *Store) takeOver(from, dir string) error {
	blobs, err := os.ReadDir(filepath.Join(s.dir(from), "blobs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	named := make(map[string]bool, len(blobs))
	for _, blob := range blobs {
		named[blob.Name()] = true
	}
	if err := takeBlobs(named, filepath.Join(s.dir(from), "blobs"), filepath.Join(dir, "blobs")); err != nil {
		return fmt.Errorf("taking over blobs: %w", err)
	}
	return nil
}

// grownName is a file beside the log of a session of which another one grew.
const grownName = "grown"

// begin has a session in the making begin with so much of the log of another one, and returns its log for more.
func (s *Store) begin(from, dir string, size int64) (log *os.File, err error) {
	earlier, err := s.OpenLog(from)
	if err != nil {
		return nil, err
	}
	defer func() { _ = earlier.Close() }() // opened for reading
	info, err := earlier.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < size {
		return nil, fmt.Errorf("%d of %d bytes: %w", info.Size(), size, ErrNotFound)
	}
	path := filepath.Join(dir, "session.jsonl")
	if info.Size() == size && s.first(from) && os.Link(s.LogPath(from), path) == nil {
		if log, err = os.OpenFile(path, os.O_WRONLY, 0); err == nil {
			_, err = log.Seek(size, io.SeekStart)
		}
	} else if log, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		_, err = io.CopyN(log, earlier, size)
	}
	if err == nil {
		return log, nil
	}
	if log != nil {
		_ = log.Close() // the error that matters is already on its way
	}
	return nil, fmt.Errorf("beginning with %d bytes: %w", size, err)
}

// first tells whether this is the first one that grows of a session: of two programs, one at most goes on in its file.
func (s *Store) first(from string) bool {
	mark, err := os.OpenFile(filepath.Join(s.dir(from), grownName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	return err == nil && mark.Close() == nil
}

// lengthOf is how much of a log is a session's own: of one of which another one grew, what its metadata has counted.
func lengthOf(dir string, m *Metadata, size int64) int64 {
	if m.Log == nil || m.Log.Size >= size {
		return size
	}
	if _, err := os.Stat(filepath.Join(dir, grownName)); err != nil {
		return size
	}
	return m.Log.Size
}
