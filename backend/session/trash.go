package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/rogpeppe/go-internal/robustio"
)

// Trash moves a session, whole, to the trash. It waits for a writer to finish.
func (s *Store) Trash(ctx context.Context, id string) error {
	_, err := s.TrashIf(ctx, id, nil)
	return err
}

// TrashIf does so if the session is still one to move when nobody writes to it any more, and tells whether it was.
func (s *Store) TrashIf(ctx context.Context, id string, still func(Summary) bool) (bool, error) {
	release, err := s.Lock(ctx, id)
	if err != nil {
		return false, err
	}
	if still != nil {
		if now, err := s.Get(id); err != nil || !still(now) {
			release()
			return false, err
		}
	}
	// Windows can't move a directory that holds an open file, so the lock is given back first. A writer that slips in
	// between finds its directory gone or writes to the session in the trash; either way nothing is lost.
	release()
	if err := os.MkdirAll(s.trash(), 0o700); err != nil {
		return false, fmt.Errorf("session %s: making the trash (nothing was moved): %w", id, err)
	}
	return true, move(id, s.dir(id), s.trashed(id), "moving to the trash")
}

// Restore brings a session back from the trash.
func (s *Store) Restore(id string) error {
	if err := s.inTrash(id); err != nil {
		return err
	}
	if err := os.MkdirAll(s.sessions(), 0o700); err != nil {
		return fmt.Errorf("session %s: restoring (it is still in the trash): %w", id, err)
	}
	m, _, err := readMetadata(s.trashed(id))
	s.warnIf(err)
	return s.returning(addressesOf(m.Key, m.Agent, m.CreatedBy), func() error {
		return move(id, s.trashed(id), s.dir(id), "restoring")
	})
}

// returning sees to it that a session which comes back is found by its addresses, if it is the newest that has them, also
// where nothing happens any more behind its return.
func (s *Store) returning(addresses []Address, move func() error) error {
	if len(addresses) == 0 {
		return move()
	}
	release, err := s.lockAddresses(context.Background())
	if err == nil {
		defer release()
	}
	s.warnIf(s.forget(addresses))
	if moveErr := move(); moveErr != nil || err == nil {
		return moveErr
	}
	s.warnIf(s.forget(addresses)) // somebody may have looked meanwhile
	return nil
}

func move(id, from, to, doing string) error {
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%w: session %s: %s: %s exists already (nothing was moved)", ErrInput, id, doing, to)
	}
	if err := robustio.Rename(from, to); err != nil {
		return fmt.Errorf("session %s: %s (nothing was moved): %w", id, doing, err)
	}
	return nil
}

// Purge deletes a session in the trash for good.
func (s *Store) Purge(id string) error {
	if err := s.inTrash(id); err != nil {
		return err
	}
	if err := robustio.RemoveAll(s.trashed(id)); err != nil {
		return fmt.Errorf("session %s: deleting it from the trash: %w", id, err)
	}
	return nil
}

func (s *Store) inTrash(id string) error {
	if err := s.check(id); err != nil {
		return err
	}
	_, err := os.Stat(s.trashed(id))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("session %s: %w in the trash", id, ErrNotFound)
	}
	if err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	return nil
}
