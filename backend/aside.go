package backend

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"palimpsest/backend/agent"
	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
)

// asides are turns without history that no session is there for: a heartbeat to a key must not leave an empty one behind.
// Each has an id of its own, by which its events are known, and nothing on disk.
type asides struct {
	mu   sync.Mutex
	byID map[string]session.Metadata
}

func (a *asides) put(id string, m session.Metadata) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byID == nil {
		a.byID = map[string]session.Metadata{}
	}
	a.byID[id] = m
}

func (a *asides) remove(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.byID, id)
}

func (a *asides) of(id string) (session.Metadata, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	m, ok := a.byID[id]
	return m, ok
}

// metadata is that of a session, or of what stands for one while a turn is aside.
func (b *Backend) metadata(id string) (session.Metadata, error) {
	if m, ok := b.asides.of(id); ok {
		return m, nil
	}
	return b.store.Metadata(id)
}

// sendAside asks without history where there is no session, and makes none.
func (b *Backend) sendAside(ctx context.Context, m Addressed, listen func(agent.Event)) (Delivered, error) {
	id := ulid.Make().String()
	like := b.sessionFor(&m)
	b.asides.put(id, session.Metadata{ID: id, Model: like.Model, Cwd: like.Cwd})
	sent, err := b.submit(ctx, id, m.Outgoing, func(e agent.Event) {
		if e.Kind == agent.KindDone {
			b.asides.remove(id)
		}
		if listen != nil {
			listen(e)
		}
	})
	if err != nil {
		b.asides.remove(id)
		return Delivered{}, err
	}
	return Delivered{Sent: sent, SessionID: id}, nil
}

// aside is the session of a turn that has none: there is nothing in it, and nothing gets in.
type aside struct{ model string }

var errAside = errors.New("a turn without history writes nothing")

func (a aside) Context() (overlay.Context, error) {
	return resolveAt("", bytes.NewReader(nil), 0, a.model)
}

func (aside) Keep(images []agent.Image) error {
	if len(images) > 0 {
		return errAside
	}
	return nil
}

func (aside) Append(...[]byte) ([]int64, error) { return nil, errAside }

func (aside) Spent(context.Context, time.Duration) error { return errAside }

func (aside) Close() {}
