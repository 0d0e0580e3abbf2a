package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/robustio"
)

// Address is what finds a session without its id: a key or, without one, an agent and who made the session. The current
// session of an address is the newest one made that has it, byte for byte, and is not in the trash.
//
// A file for each address says which one that is, so that it is found at once among any number of sessions. Its name is a
// hash, so an address may hold any character. It may be lost or wrong: what it names is looked at before it is believed,
// and otherwise the sessions are looked through that are not known to have other addresses: see [Store.known].
// It is written with the lock of addresses held, as every session that has an address is made.
type Address struct{ Key, Agent, CreatedBy string }

// ErrNoSession is returned, with [ErrNotFound], for an address that no session has.
var ErrNoSession = errors.New("no session has")

// pointer is the file of an address.
type pointer struct {
	Key       string `json:"key,omitempty"`
	Agent     string `json:"agent,omitempty"`
	CreatedBy string `json:"createdBy,omitempty"`
	Session   string `json:"session"`
}

func (a Address) check() error {
	if a.Key == "" && a.Agent == "" {
		return fmt.Errorf("%w: give a key, or an agent", ErrInput)
	}
	return errors.Join(checkKey("key", a.Key), checkKey("agent", a.Agent), checkKey("createdBy", a.CreatedBy))
}

func (a Address) String() string {
	if a.Key != "" {
		return fmt.Sprintf("the key %q", shorten(a.Key))
	}
	return fmt.Sprintf("the agent %q and made by %q", shorten(a.Agent), shorten(a.CreatedBy))
}

// finds tells whether a session has the address.
func (a Address) finds(m *Metadata) bool {
	if a.Key != "" {
		return m.Key == a.Key
	}
	return m.Agent == a.Agent && m.CreatedBy == a.CreatedBy
}

// addressesOf are those of a session.
func addressesOf(key, agent, createdBy string) (all []Address) {
	if key != "" {
		all = append(all, Address{Key: key})
	}
	if agent != "" {
		all = append(all, Address{Agent: agent, CreatedBy: createdBy})
	}
	return all
}

func (s *Store) addresses() string { return filepath.Join(s.home, "keys") }

// pointerOf is the file of an address. No part of one holds a NUL.
func (s *Store) pointerOf(a Address) string {
	sum := sha256.Sum256([]byte(a.Key + "\x00" + a.Agent + "\x00" + a.CreatedBy))
	return filepath.Join(s.addresses(), hex.EncodeToString(sum[:])+".json")
}

// pointed is the session that an address's file names, looked at or not; empty if it names none.
func (s *Store) pointed(a Address) string {
	data, err := os.ReadFile(s.pointerOf(a))
	var p pointer
	if err != nil || json.Unmarshal(data, &p) != nil || CheckID(p.Session) != nil {
		return ""
	}
	return p.Session
}

// current is the session that an address's file names, if it still is there and has the address.
func (s *Store) current(a Address) (id string, ok bool) {
	id = s.pointed(a)
	if id == "" {
		return "", false
	}
	if info, err := os.Stat(s.LogPath(id)); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	m, _, err := readMetadata(s.dir(id))
	return id, err == nil && a.finds(&m)
}

// Current is the current session of an address.
func (s *Store) Current(ctx context.Context, a Address) (string, error) {
	if err := a.check(); err != nil {
		return "", err
	}
	if id, ok := s.current(a); ok {
		return id, nil
	}
	if release, err := s.lockAddresses(ctx); err == nil { // else it is not written down, and found all the same
		defer release()
		return s.lookUp(ctx, a, true)
	}
	return s.lookUp(ctx, a, false)
}

// lookUp looks at the sessions that may have the address. With note, which needs the lock, what it finds is written down.
func (s *Store) lookUp(ctx context.Context, a Address, note bool) (string, error) {
	if id, ok := s.current(a); ok {
		return id, nil
	}
	if id := s.pointed(a); id != "" {
		if _, _, err := readMetadata(s.dir(id)); err != nil && s.hasLog(id) {
			return "", unreadable(id, a, err)
		}
	}
	all, err := s.having(ctx, a, false)
	if err != nil {
		return "", err
	}
	newest := ""
	for _, id := range all {
		newest = max(newest, id)
	}
	if newest == "" {
		return "", fmt.Errorf("%w %s: %w", ErrNoSession, a, ErrNotFound)
	}
	if note {
		s.warnIf(s.point(a, newest))
	}
	return newest, nil
}

// unreadable is why another session is not taken for an address: this one had it, and may be there again in a moment.
func unreadable(id string, a Address, err error) error {
	return fmt.Errorf("session %s has %s, as far as is known, and can't be read (no other was made for it): %w", id, a, err)
}

// point writes down which session is an address's current one. The caller holds the lock of addresses.
func (s *Store) point(a Address, id string) error {
	text, err := json.Marshal(pointer{Key: a.Key, Agent: a.Agent, CreatedBy: a.CreatedBy, Session: id})
	if err == nil {
		err = ReplaceFile(s.pointerOf(a), text)
	}
	if err != nil {
		return fmt.Errorf("session %s: writing down that it has %s: %w", id, a, err)
	}
	return nil
}

// forget takes away what is written down of addresses, since it may not be so any more.
func (s *Store) forget(all []Address) error {
	var failed []error
	for _, a := range all {
		failed = append(failed, robustio.RemoveAll(s.pointerOf(a)))
	}
	return errors.Join(failed...)
}

// lockAddresses keeps everybody else from making sessions with addresses. It is held for moments.
func (s *Store) lockAddresses(ctx context.Context) (release func(), err error) {
	return s.lockShared(ctx, s.addresses(), "the sessions' keys")
}
