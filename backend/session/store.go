package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"palimpsest/backend/borrow"
	"palimpsest/backend/record"
)

// Options of [Open].
type Options struct {
	// Durability of appends; DurabilityTurn if empty.
	Durability Durability
	// Wait is how long a writer waits for another one; 10 s if 0, not at all if negative.
	Wait time.Duration
	// Now is the clock; time.Now if nil.
	Now func() time.Time
	// Warn is told of what went wrong without being a failure; may be nil.
	Warn func(error)
	// Refuse says why what is no id of a session here can't be used, nil if there is nothing to say but that; may be nil.
	Refuse func(id string) error
}

// DefaultWait is how long a writer waits for another one.
const DefaultWait = 10 * time.Second

// Store is the sessions below one home directory.
type Store struct {
	home    string
	full    atomic.Bool // DurabilityFull, else DurabilityTurn
	wait    time.Duration
	now     func() time.Time
	warn    func(error)
	ids     *idSource
	queues  queues
	writers writers
	fsync   func(*os.File) error
	refuse  func(id string) error
}

// Open returns the store below home. Nothing is created until something is to be written.
func Open(home string, opts Options) *Store {
	s := &Store{
		home: home, wait: opts.Wait, now: opts.Now, warn: opts.Warn,
		ids: newIDSource(), fsync: (*os.File).Sync, refuse: opts.Refuse,
	}
	s.SetDurability(opts.Durability)
	if s.wait == 0 {
		s.wait = DefaultWait
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// SetDurability changes when appends sync, from the next record on.
func (s *Store) SetDurability(d Durability) { s.full.Store(d == DurabilityFull) }

// Home is the directory that holds sessions and trash.
func (s *Store) Home() string { return s.home }

func (s *Store) warnIf(err error) {
	if err != nil && s.warn != nil {
		s.warn(err)
	}
}

func (s *Store) sessions() string         { return filepath.Join(s.home, "sessions") }
func (s *Store) trash() string            { return filepath.Join(s.home, "trash") }
func (s *Store) dir(id string) string     { return filepath.Join(s.sessions(), id) }
func (s *Store) trashed(id string) string { return filepath.Join(s.trash(), id) }

// LogPath is where a session's log is.
func (s *Store) LogPath(id string) string { return filepath.Join(s.dir(id), "session.jsonl") }

// check is [CheckID] with a better reason for ids of elsewhere.
func (s *Store) check(id string) error {
	err := CheckID(id)
	if err == nil || s.refuse == nil {
		return err
	}
	if why := s.refuse(id); why != nil {
		return why
	}
	return err
}

// existing returns the directory of a session that is there.
func (s *Store) existing(id string) (string, error) {
	if err := s.check(id); err != nil {
		return "", err
	}
	dir := s.dir(id)
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return "", fmt.Errorf("session %s: %w in %s", id, ErrNotFound, s.sessions())
	}
	if err != nil {
		return "", fmt.Errorf("session %s: %w", id, err)
	}
	return dir, nil
}

// OpenLog opens a session's log for reading.
func (s *Store) OpenLog(id string) (*os.File, error) {
	if _, err := s.existing(id); err != nil {
		return nil, err
	}
	if info, err := os.Stat(s.LogPath(id)); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("session %s: %s is no file", id, s.LogPath(id)) // opening a pipe would wait for ever
	}
	file, err := borrow.Open(s.LogPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("session %s has no log: %w", id, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("session %s: opening its log: %w", id, err)
	}
	return file, nil
}

// Draft checks a record for [Store.Append], with the store's clock for a timestamp left out.
func (s *Store) Draft(object []byte) (record.Draft, error) {
	d, err := record.NewDraft(object, s.now())
	if err != nil {
		return d, fmt.Errorf("%w: %w", ErrInput, err)
	}
	return d, nil
}
