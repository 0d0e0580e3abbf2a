package backend

import (
	"context"
	"errors"
	"fmt"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
)

// Addressed is a message for the current session of a key or, without a key, for the newest of an agent and who made it.
type Addressed struct {
	Outgoing
	Key       string `json:"key"`
	Agent     string `json:"agent"`
	CreatedBy string `json:"createdBy"`
	// Cwd, Source and CronJobID are what a session is made with, if there is none yet.
	Cwd       string `json:"cwd"`
	Source    string `json:"source"`
	CronJobID string `json:"cronJobId"`
}

// Delivered says what became of a message, and which session it went to.
type Delivered struct {
	Sent
	SessionID string `json:"sessionId"`
	// Created tells that the session was made for it.
	Created bool `json:"created"`
}

// SendTo takes a message for whichever session an address finds. Without one, or where the one there is is over, one is made.
// The rest is as [Backend.Send] has it.
func (b *Backend) SendTo(ctx context.Context, m Addressed, listen func(agent.Event)) (Delivered, error) {
	if err := m.check(); err != nil {
		return Delivered{}, fmt.Errorf("%w: %w", session.ErrInput, err)
	}
	address := session.Address{Agent: m.Agent, CreatedBy: b.maker(m.CreatedBy)}
	if m.Key != "" {
		address = session.Address{Key: m.Key}
	}
	var out Delivered
	var err error
	if m.Retry || m.NoHistory {
		out.SessionID, err = b.store.Current(ctx, address)
	} else {
		out.SessionID, out.Created, err = b.store.Settle(ctx, address, func(current *session.Summary) (*session.New, error) {
			return b.instead(&m, current)
		})
	}
	if m.NoHistory && errors.Is(err, session.ErrNotFound) {
		return b.sendAside(ctx, m, listen)
	}
	if err != nil {
		return Delivered{}, err
	}
	out.Sent, err = b.Send(ctx, out.SessionID, m.Outgoing, listen)
	return out, err
}

// instead is the session to be made for a message, nil if the current one serves. None is made where no model could answer.
func (b *Backend) instead(m *Addressed, current *session.Summary) (*session.New, error) {
	var n session.New
	switch {
	case current == nil:
		n = b.sessionFor(m)
	case m.Key == "" || !b.over(current):
		return nil, nil //nolint:nilnil // the current one serves
	default:
		next, err := b.successor(current)
		if err != nil {
			return nil, err
		}
		return next, b.reachable(current.ID, agent.Wanted{Model: m.Model, Provider: m.Provider})
	}
	return &n, b.connected(m.Provider, m.Model+n.Model)
}

// successor is what takes the place of a session, and talks to the same model at the same place.
func (b *Backend) successor(s *session.Summary) (*session.New, error) {
	c, err := b.resolve(s.ID)
	if err != nil {
		return nil, err
	}
	n := s.Successor()
	if c.Model.Model != "" {
		n.Model = c.Model.Model
	}
	if c.Model.Provider == "" {
		return &n, nil
	}
	return &n, b.remember(&n, c.Model)
}

// sessionFor is what a session is made with for a message.
func (b *Backend) sessionFor(m *Addressed) session.New {
	settings, _ := b.settingsFor(&overlay.Context{}, m.Provider) // that there is none is said before a session is made
	return session.New{
		Model: settings.Model, Cwd: m.Cwd, Key: m.Key, Source: m.Source, CronJobID: m.CronJobID,
		Agent: m.Agent, CreatedBy: b.maker(m.CreatedBy),
	}
}

// over tells whether the session of a key is over. One in which a turn runs is not: it is in use.
func (b *Backend) over(s *session.Summary) bool {
	settings, _ := b.Settings()
	limits := session.Limits{Hour: settings.Session.ResetHour.Value(), Idle: time.Duration(settings.Session.IdleMinutes) * time.Minute}
	if !limits.Over(s, b.now()) {
		return false
	}
	state := b.agent.State(s.ID)
	if state.Running != nil || len(state.Queued) > 0 {
		return false
	}
	holder, err := b.store.HeldBy(s.ID)
	return err == nil && holder == nil
}

// Reset begins a new session under a key, which takes over all but the conversation and its name. The old one stays.
func (b *Backend) Reset(ctx context.Context, key string) (Session, error) {
	address := session.Address{Key: key}
	if key == "" {
		return Session{}, fmt.Errorf("%w: a key is missing", session.ErrInput)
	}
	id, _, err := b.store.Settle(ctx, address, func(current *session.Summary) (*session.New, error) {
		if current == nil {
			return nil, nil //nolint:nilnil // there is nothing to take the place of
		}
		return b.successor(current)
	})
	if err != nil {
		return Session{}, err
	}
	return b.Get(id)
}

// KeyOf is the key that a door's argument names: a session's by its id or the beginning of it, or the key itself.
func (b *Backend) KeyOf(ctx context.Context, keyOrID string) (string, error) {
	if summary, err := b.store.Get(keyOrID); err == nil {
		return keyIn(&summary)
	}
	_, err := b.store.Current(ctx, session.Address{Key: keyOrID})
	if err == nil || !errors.Is(err, session.ErrNotFound) {
		return keyOrID, err
	}
	id, prefixErr := b.store.FindPrefix(keyOrID, false)
	if prefixErr != nil {
		return "", err
	}
	summary, err := b.store.Get(id)
	if err != nil {
		return "", err
	}
	return keyIn(&summary)
}

func keyIn(s *session.Summary) (string, error) {
	if s.Key == "" {
		return "", fmt.Errorf("%w: session %s has no key", session.ErrInput, s.ID)
	}
	return s.Key, nil
}
