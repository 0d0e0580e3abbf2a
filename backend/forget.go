package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// Forgotten is what became of a session that was to be forgotten.
type Forgotten struct {
	ID string `json:"id"`
	// Problem is why it was not, nil if it was.
	Problem *Problem `json:"problem"`
}

// errThere says that a session is not gone, and so can't be forgotten: it would be read again.
type errThere struct{ hint, why string }

func (e *errThere) Error() string { return e.why }

func (e *errThere) Unwrap() error { return session.ErrInput }

// Forget forgets sessions whose files are gone: no list, search or number has them any more, and no file of the index or of the cache a byte
// of them. One that can't be forgotten keeps no other from it. Should its files come back, it is found as any other.
func (b *Backend) Forget(ctx context.Context, ids []string) ([]Forgotten, error) {
	if err := b.restoreIndex(ctx); err != nil {
		if errors.Is(err, errIndexOff) {
			err = fmt.Errorf("%w: %w", session.ErrInput, err)
		}
		return nil, err
	}
	out := make([]Forgotten, len(ids))
	var refs []library.Ref
	var of []int
	refused := func(i int, err error) {
		problem := ProblemOf(err)
		out[i].Problem = &problem
	}
	for i, id := range ids {
		out[i].ID = id
		ref, err := b.forgettable(ctx, id)
		if err != nil {
			refused(i, err)
			continue
		}
		refs, of = append(refs, ref), append(of, i)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(refs) == 0 {
		return out, nil
	}
	if err := b.forget(ctx, refs); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for _, i := range of {
			refused(i, err)
		}
	}
	return out, nil
}

// forgettable is the session that an id is of, if its files are gone and anything is left of it.
func (b *Backend) forgettable(ctx context.Context, id string) (library.Ref, error) {
	if !library.IsRef(id) {
		if err := session.CheckID(id); err != nil {
			return library.Ref{}, err
		}
		return library.Ref{}, &errThere{"palimpsest rm moves it to the trash, and palimpsest purge removes it for good", fmt.Sprintf("session %s is yours, and not gone", id)}
	}
	ref, err := library.ParseRef(id)
	if err != nil {
		return ref, err
	}
	if b.library == nil {
		return ref, b.withoutAgents(ref)
	}
	found, err := b.library.Lookup(ctx, ref)
	if err == nil && !found.FromCopy { // its agent may have deleted it just now
		_ = b.library.Readable(ctx, ref)
		found, err = b.library.Lookup(ctx, ref)
	}
	if err == nil {
		return ref, b.notGone(ctx, ref, &found)
	}
	if !errors.Is(err, session.ErrNotFound) {
		return ref, err
	}
	path, some := b.left(ctx, ref)
	if !some {
		return ref, err
	}
	if why := b.hidden(ctx, ref, path); path != "" && why != nil {
		return ref, untold(ref, why)
	}
	return ref, nil
}

// notGone says why a session that is found can't be forgotten.
func (b *Backend) notGone(ctx context.Context, ref library.Ref, found *sources.Found) error {
	if !found.FromCopy {
		return &errThere{
			"delete it where " + ref.Agent + " has it; then it can be forgotten here, too", fmt.Sprintf("session %s: its files are there, and it would only be read again", ref),
		}
	}
	if why := b.hidden(ctx, ref, found.Stood); why != nil {
		return untold(ref, why)
	}
	return &errThere{
		"palimpsest keep --drop " + ref.String() + " removes the copy, and forgets the session then", fmt.Sprintf("session %s: its files are gone, but a copy of it is kept", ref),
	}
}

// untold refuses to forget a session of which nobody can tell whether its files are gone.
func untold(ref library.Ref, why error) error {
	return &errThere{"forget it when they can be looked for", fmt.Sprintf("session %s: nobody can tell whether its files are gone: %v", ref, why)}
}

// left tells whether anything is left of a session whose files are gone, which may have been listed and never read, and where these stood if
// that is known.
func (b *Backend) left(ctx context.Context, ref library.Ref) (path string, some bool) {
	if row, there, err := b.indexing.index.Session(ctx, ref.String()); err == nil && there {
		if d, err := digest.Recall(row.Digest); err == nil {
			path = d.About.Path
		}
		return path, true
	}
	if path, some = b.library.Left(ref); some {
		return path, true
	}
	rows, _ := b.LastList()
	i := slices.IndexFunc(rows, func(s Session) bool { return s.ID == ref.String() })
	if i < 0 {
		return "", false
	}
	return rows[i].Path, true
}

// forget takes sessions out of everything that this program keeps of them, and out of the index last: who is killed in between finds them
// there, and can forget them again.
func (b *Backend) forget(ctx context.Context, refs []library.Ref) error {
	if b.ownCache != "" { // its index is a copy
		return fmt.Errorf("nothing was forgotten: nothing can be written to the cache (%s), which may have it", b.noCache)
	}
	if err := b.restoreIndex(ctx); err != nil {
		return err
	}
	ids := make([]string, 0, len(refs))
	for _, ref := range refs {
		ids = append(ids, ref.String())
	}
	if err := b.lastList.drop(ids...); err != nil {
		return fmt.Errorf("nothing was forgotten: %w", err)
	}
	c := b.indexing.stock
	for _, ref := range refs {
		if err := b.library.Forget(ctx, ref); err != nil {
			return fmt.Errorf("nothing was forgotten: %w", err)
		}
	}
	err := c.second.forget(ctx, c.index, ids)
	if err != nil && !errors.Is(err, index.ErrLeft) {
		c.forgetAll() // some may be out of the index all the same
	} else {
		for _, id := range ids {
			c.forgotten(id)
		}
		if err := c.relate(ctx); err != nil { // when something is read next, it is tried again
			b.warn(err)
		}
	}
	return errors.Join(err, b.lastList.drop(ids...)) // one that was told meanwhile, by whatever program, may have them
}

// restoreIndex has the index hold again what one had that was begun anew: what is put back later would bring back what was forgotten.
func (b *Backend) restoreIndex(ctx context.Context) error {
	if _, err := b.openIndex(); err != nil { //nolint:contextcheck,nolintlint // it stays open, whoever asked first
		return err
	}
	if b.indexing.stock.wrecked() { //nolint:contextcheck,nolintlint // what it opens stays open
		return b.Scan(ctx, false, nil)
	}
	return nil
}
