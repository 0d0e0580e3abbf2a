package session

import (
	"context"
	"errors"
	"fmt"
)

// Settle finds the current session of an address, or makes one. Decide is shown the one there is, nil if there is none, and
// says what is to be made instead; nil keeps it. All of it happens with the lock of addresses held, so that of two
// processes that want a new session at once one makes it and the other finds it.
func (s *Store) Settle(ctx context.Context, a Address, decide func(current *Summary) (*New, error)) (id string, made bool, err error) {
	if err := a.check(); err != nil {
		return "", false, err
	}
	release, err := s.lockAddresses(ctx)
	if err != nil {
		return "", false, err
	}
	defer release()
	current, err := s.currentOf(ctx, a)
	if err != nil {
		return "", false, err
	}
	n, err := decide(current)
	switch {
	case err != nil:
		return "", false, err
	case n == nil && current == nil:
		return "", false, fmt.Errorf("%w %s: %w", ErrNoSession, a, ErrNotFound)
	case n == nil:
		return current.ID, false, nil
	}
	if err := n.check(); err != nil {
		return "", false, err
	}
	after := ""
	if current != nil {
		after = current.ID
	}
	m, err := s.createAddressed(*n, after, nil)
	return m.ID, err == nil, err
}

// currentOf is the current session, nil if there is none.
func (s *Store) currentOf(ctx context.Context, a Address) (*Summary, error) {
	id, err := s.lookUp(ctx, a, true)
	if errors.Is(err, ErrNotFound) {
		// Who only asks leaves nothing behind; here one is going to be made, and the next new key is to cost less.
		_, err = s.having(ctx, a, true)
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	current, err := s.Get(id)
	if errors.Is(err, ErrNotFound) {
		return nil, nil //nolint:nilnil // trashed this moment
	}
	return &current, err
}

// createAddressed makes a session that has an address. The caller holds the lock of addresses. What was written down of
// them goes first: whatever happens then, nothing names a session that is not the newest.
func (s *Store) createAddressed(n New, after string, fill func(dir string) error) (Metadata, error) {
	addresses := addressesOf(n.Key, n.Agent, n.CreatedBy)
	for _, a := range addresses {
		if id, ok := s.current(a); ok {
			after = max(after, id)
		}
	}
	if err := s.forget(addresses); err != nil {
		return Metadata{}, fmt.Errorf("making a session (nothing was created): %w", err)
	}
	m, err := s.make(n, after, fill)
	if err != nil {
		return m, err
	}
	for _, a := range addresses {
		s.warnIf(s.point(a, m.ID))
	}
	return m, nil
}

// Successor is what the session is made with that takes this one's place under its key: who talks there, where, by which
// rules and as what stays as it was; the conversation begins anew.
func (m *Metadata) Successor() New {
	return New{
		Model: m.Model, Cwd: m.Cwd, Key: m.Key, Source: m.Source, CronJobID: m.CronJobID, Agent: m.Agent, CreatedBy: m.CreatedBy,
		SystemPromptOverride: m.SystemPromptOverride, Permissions: m.Permissions, Compaction: m.Compaction,
	}
}
