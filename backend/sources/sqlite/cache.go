package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
)

// Cache keeps one copy of each database it was asked for, until the source changes or the cache is closed. It may be used by
// several goroutines. The nil Cache keeps nothing.
type Cache struct {
	mu     sync.Mutex
	closed bool
	kept   map[string]*slot
}

// slot is the place of one database; its lock is held while a copy is made, so that two who ask wait for one copy.
type slot struct {
	mu   sync.Mutex
	copy *shared
}

// shared is an open copy in use by some.
type shared struct {
	private
	db   Database
	mu   sync.Mutex
	uses int
}

// Open returns the database at path as it is now, from a copy below temp. release says that the caller is done with it.
func (c *Cache) Open(ctx context.Context, temp, path string) (db Database, release func() error, err error) {
	held, err := c.hold(ctx, temp, path)
	if err != nil {
		return Database{}, nil, err
	}
	return held.db, sync.OnceValue(held.release), nil
}

// hold gives out the copy there is, or one that it makes. Its user releases it once.
func (c *Cache) hold(ctx context.Context, temp, path string) (*shared, error) {
	if c == nil {
		return hold(ctx, temp, path)
	}
	s, err := c.slot(path)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reuse(path) {
		return s.copy, nil
	}
	p, err := take(ctx, temp, path, s.idle())
	if err != nil {
		return nil, fmt.Errorf("reading the database %s: %w", path, err)
	}
	if s.idle() != nil { // open, it would tell the new one what is in the log: see [slot.idle]
		if err := c.replace(s, nil); err != nil {
			return nil, errors.Join(err, p.remove())
		}
	}
	fresh, err := p.held(ctx, path)
	if err != nil {
		return nil, err
	}
	fresh.uses++ // the cache's own
	if err := c.replace(s, fresh); err != nil {
		return nil, errors.Join(err, fresh.release(), fresh.release())
	}
	return fresh, nil
}

func (c *Cache) slot(path string) (*slot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errClosed
	}
	if c.kept == nil {
		c.kept = map[string]*slot{}
	}
	if c.kept[path] == nil {
		c.kept[path] = &slot{}
	}
	return c.kept[path], nil
}

var errClosed = errors.New("the copies of databases are closed")

// reuse takes the copy there is, if it is still that of the source, and nobody has cleared the cache that it lies in.
func (s *slot) reuse(path string) bool {
	if s.copy == nil || !s.copy.state.showing(s.copy.at) {
		return false
	}
	if _, err := os.Stat(s.copy.path()); err != nil {
		return false
	}
	now, err := look(path)
	return err == nil && now == s.copy.state && s.copy.take()
}

// idle is the copy there is if nobody uses it; nil if there is none such. Only its main file may be used again, and only once it is closed:
// open databases that are one file share, within a process, the index of the log, which is another one beside each copy.
func (s *slot) idle() *private {
	if s.copy == nil {
		return nil
	}
	s.copy.mu.Lock()
	defer s.copy.mu.Unlock()
	if s.copy.uses > 1 {
		return nil
	}
	return &s.copy.private
}

// replace puts a copy, or none, into its slot. The one before goes as soon as nobody uses it.
func (c *Cache) replace(s *slot, fresh *shared) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errClosed
	}
	before := s.copy
	s.copy = fresh
	if before != nil {
		return before.release()
	}
	return nil
}

// Close removes the copies. One that is in use goes when its user is done.
func (c *Cache) Close() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	var errs []error
	for _, s := range c.kept {
		if s.copy != nil {
			errs = append(errs, s.copy.release())
		}
	}
	c.kept = nil
	return errors.Join(errs...)
}

// take counts one more use; false if the copy is gone.
func (s *shared) take() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uses == 0 {
		return false
	}
	s.uses++
	return true
}

func (s *shared) release() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uses--; s.uses > 0 {
		return nil
	}
	return errors.Join(s.db.Close(), s.remove())
}
