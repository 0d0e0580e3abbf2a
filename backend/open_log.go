package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"palimpsest/backend/library"
	"palimpsest/backend/session"
)

// place is where a session's files are: in the store of ours or, for that of another agent, in that of readings.
type place struct {
	store *session.Store
	id    string
	// end is how many bytes at the end of the log may be taken back, and made when it was made: see [library.Reading].
	end, made int64
}

// Prepare reads a session of another agent, so that what is asked of it next is answered at once. Of ours it only checks the id.
func (b *Backend) Prepare(ctx context.Context, id string) error {
	if !library.IsRef(id) {
		return session.CheckID(id)
	}
	_, err := b.reading(ctx, id)
	return err
}

func (b *Backend) reading(ctx context.Context, id string) (library.Reading, error) {
	ref, err := library.ParseRef(id)
	if err != nil {
		return library.Reading{}, err
	}
	if b.library == nil {
		return library.Reading{}, b.withoutAgents(ref)
	}
	b.readings.use(ref)
	r, err := b.library.Read(ctx, ref)
	if err != nil {
		err = b.whyNotThere(ctx, ref, err)
	}
	if from := cmp.Or(r.Grew, r.Begun); from != "" {
		b.views.carry(from, r.Of, b.placeIn(&r), r.Grew != "")
	}
	return r, err
}

// placeIn is that of a reading.
func (b *Backend) placeIn(r *library.Reading) place {
	return place{b.library.Store(), r.ID, r.End, r.Made}
}

// placeOf finds a session's files. What takes long was done by [Backend.Prepare], if its caller wants to be able to stop it.
//
//nolint:contextcheck,nolintlint // its callers need not pass a context: who wants to stop it calls [Backend.Prepare] first
func (b *Backend) placeOf(id string) (place, error) {
	if !library.IsRef(id) {
		return place{store: b.store, id: id}, session.CheckID(id)
	}
	r, err := b.reading(context.Background(), id)
	if err != nil {
		return place{}, err
	}
	return b.placeIn(&r), nil
}

// openPlace opens a session's log. A reading that goes in the moment that it was found in has a successor.
func (b *Backend) openPlace(id string) (place, session.Metadata, *os.File, error) {
	const attempts = 3
	for n := 1; ; n++ {
		at, err := b.placeOf(id)
		if err != nil {
			return at, session.Metadata{}, nil, err
		}
		meta, log, err := at.open()
		if err == nil || !library.IsRef(id) || !errors.Is(err, session.ErrNotFound) || n == attempts {
			return at, meta, log, err
		}
	}
}

func (p place) open() (session.Metadata, *os.File, error) {
	meta, err := p.store.Metadata(p.id)
	if err != nil {
		return meta, nil, err
	}
	log, err := p.store.OpenLog(p.id)
	return meta, log, err
}

// lengthOf is how long a session's log is. That of a reading goes on in the one that grew of it: see [session.Store.Grow].
func lengthOf(id string, meta *session.Metadata, log *os.File) (int64, error) {
	if library.IsRef(id) && meta.Log != nil {
		return meta.Log.Size, nil
	}
	info, err := log.Stat()
	if err != nil {
		return 0, fmt.Errorf("session %s: looking at the log: %w", id, err)
	}
	return info.Size(), nil
}

// openLog opens a session's log, whoever it belongs to.
func (b *Backend) openLog(id string) (session.Metadata, *os.File, error) {
	_, meta, log, err := b.openPlace(id)
	return meta, log, err
}
