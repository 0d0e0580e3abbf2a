package backend

import (
	"context"
	"errors"

	"palimpsest/backend/library"
	"palimpsest/backend/sample"
	"palimpsest/backend/session"
)

// Get returns one session.
func (b *Backend) Get(id string) (Session, error) {
	if library.IsRef(id) {
		return b.getForeign(id)
	}
	summary, err := b.store.Get(id)
	if err != nil {
		return Session{}, err
	}
	return sessionOf(&summary), nil
}

// AddSample creates the sample conversation.
func (b *Backend) AddSample() (Session, error) {
	m, err := b.store.Import(session.New{
		Name: sample.Name, Model: sample.Model, Cwd: sample.Cwd, CreatedBy: b.createdBy,
	}, sample.Log())
	if err != nil {
		return Session{}, err
	}
	return b.Get(m.ID)
}

// Rename gives a session a name; an empty one clears it.
func (b *Backend) Rename(ctx context.Context, id, name string) (Session, error) {
	if _, err := b.store.Rename(ctx, id, name); err != nil {
		return Session{}, err
	}
	return b.Get(id)
}

// Archive takes a session out of the list or, with archived false, puts it back.
func (b *Backend) Archive(ctx context.Context, id string, archived bool) (Session, error) {
	if _, err := b.store.Archive(ctx, id, archived); err != nil {
		return Session{}, err
	}
	return b.Get(id)
}

// Fork makes a new session from this one, whole (at 0) or up to the last record that has seq at.
func (b *Backend) Fork(id string, at int64) (Session, error) {
	m, err := b.store.Fork(id, at, b.createdBy)
	if err != nil {
		return Session{}, err
	}
	return b.Get(m.ID)
}

// Trash moves a session to the trash.
func (b *Backend) Trash(ctx context.Context, id string) error {
	if err := b.store.Trash(ctx, id); err != nil {
		return err
	}
	b.warnOf(b.lastList.drop(id))
	return nil
}

// Restore brings a session back from the trash.
func (b *Backend) Restore(id string) (Session, error) {
	if err := b.store.Restore(id); err != nil {
		return Session{}, err
	}
	return b.Get(id)
}

// Purge deletes a session in the trash for good.
func (b *Backend) Purge(id string) error {
	if err := b.store.Purge(id); err != nil {
		return err
	}
	return errors.Join(b.lastList.drop(id), b.clearDesk(id))
}
