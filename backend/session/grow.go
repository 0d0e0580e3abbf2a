package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Grow is [Store.Put] of a session that begins with all of another one, whose log is copied and whose blobs are linked before fill adds
// to them. What was counted of that is not counted again.
func (s *Store) Grow(id, from string, n New, createdAt time.Time, fill func(dir string, log *os.File) error) (Metadata, error) {
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
	m := Metadata{
		Model: before.Model, MessageCount: before.MessageCount, LastMessageAt: before.LastMessageAt, Metrics: before.Metrics,
		Edits: before.Edits, Log: before.Log,
	}
	err = s.putAs(id, n, createdAt, &m, func(dir string) error {
		log, err := s.begin(from, dir)
		if err != nil {
			return err
		}
		return errors.Join(fill(dir, log), log.Close())
	})
	return m, err
}

// begin has a session in the making begin with all of another one, and returns its log for more.
func (s *Store) begin(from, dir string) (log *os.File, err error) {
	blobs, err := os.ReadDir(filepath.Join(s.dir(from), "blobs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	named := make(map[string]bool, len(blobs))
	for _, blob := range blobs {
		named[blob.Name()] = true
	}
	if err := takeBlobs(named, filepath.Join(s.dir(from), "blobs"), filepath.Join(dir, "blobs")); err != nil {
		return nil, fmt.Errorf("taking over blobs: %w", err)
	}
	earlier, err := s.OpenLog(from)
	if err != nil {
		return nil, err
	}
	defer func() { _ = earlier.Close() }() // opened for reading
	if log, err = os.OpenFile(filepath.Join(dir, "session.jsonl"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		return nil, err
	}
	if _, err = io.Copy(log, earlier); err != nil {
		_ = log.Close() // the error that matters is already on its way
		return nil, fmt.Errorf("taking over a log: %w", err)
	}
	return log, nil
}
