package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/copies"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// Kept is what became of a session that was to be kept.
type Kept struct {
	ID     string  `json:"id"`
	KeptAt *string `json:"keptAt"`
	Bytes  int64   `json:"bytes"`
	// Problem is why it was not, nil if it was.
	Problem *Problem `json:"problem"`
}

// Keep copies the files of other agents' sessions, and of the subagents that these started, so that they stay. One that fails keeps no
// other from being kept.
func (b *Backend) Keep(ctx context.Context, ids []string) ([]Kept, error) {
	out := []Kept{}
	for _, id := range ids {
		ref, err := library.ParseRef(id)
		switch {
		case !library.IsRef(id) && session.CheckID(id) == nil:
			err = fmt.Errorf("%w: session %s is no session of another agent; nothing but you deletes it", session.ErrInput, id)
		case err != nil:
		case b.library == nil:
			err = b.withoutAgents(ref)
		default:
			var bytes int64
			var at time.Time
			if bytes, at, err = b.keep(ctx, ref); err == nil {
				b.news.publish(EventChanged, ref.String())
				out = append(out, Kept{ID: id, KeptAt: known(stamp(at)), Bytes: bytes})
				continue
			}
		}
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		problem := ProblemOf(err)
		out = append(out, Kept{ID: id, Problem: &problem})
	}
	return out, nil
}

func (b *Backend) keep(ctx context.Context, ref library.Ref) (bytes int64, at time.Time, err error) {
	if err := b.library.CatchUpOf(ctx, ref); err != nil { // what stands in its file may be sessions that nobody knows yet
		return 0, at, err
	}
	c, err := b.library.Keep(ctx, ref)
	if err != nil {
		return 0, at, err
	}
	_, family, err := b.startedBy(ctx, ref.String())
	for _, below := range family.descend(ref) {
		if _, belowErr := b.library.Keep(ctx, below); belowErr != nil {
			err = errors.Join(err, belowErr)
		}
	}
	return c.Bytes(), c.KeptAt, err
}

// KeptCopy is a copy that there is.
type KeptCopy struct {
	ID    string  `json:"id"`
	Title *string `json:"title"`
	// FirstMessage is what was said first; nil where there is a title, or the session can't be read.
	FirstMessage *string `json:"firstMessage"`
	KeptAt       string  `json:"keptAt"`
	Bytes        int64   `json:"bytes"`
	// There tells that the session's own files still are.
	There bool `json:"there"`
	// EarlierOf is the session that this is an earlier state of: it has what that one lacks by now.
	EarlierOf *string `json:"earlierOf"`
}

// KeptCopies are the copies there are, the newest first.
func (b *Backend) KeptCopies(ctx context.Context) ([]KeptCopy, error) {
	out := []KeptCopy{}
	if b.library == nil {
		return out, nil
	}
	all, err := b.library.Copies().All("")
	if err != nil {
		b.warn(err)
	}
	listing, err := b.library.List(ctx)
	if err != nil {
		return out, err
	}
	listed, standing := map[library.Ref]*sources.Found{}, map[string]map[string]error{}
	for _, found := range listing.Found {
		listed[library.Ref{Agent: found.Agent, ID: found.ID}] = found
	}
	for i := range all {
		ref := library.Ref{Agent: all[i].Agent, ID: all[i].ID}
		kept := KeptCopy{ID: ref.String(), Title: known(all[i].Session.Title), KeptAt: stamp(all[i].KeptAt), Bytes: all[i].Bytes()}
		if found := listed[ref]; found != nil {
			if standing[ref.Agent] == nil {
				standing[ref.Agent] = b.library.Standing(ref.Agent)
			}
			kept.There = !found.FromCopy || standing[ref.Agent][found.Stood] != nil || b.library.Unlooked(ref) // as far as anybody can tell
			kept.call(found)
		}
		if of := all[i].Of; of != "" {
			kept.EarlierOf = known(library.Ref{Agent: ref.Agent, ID: of}.String())
		}
		out = append(out, kept)
	}
	slices.SortFunc(out, func(a, b KeptCopy) int { return strings.Compare(b.KeptAt, a.KeptAt) })
	return out, nil
}

// call gives a copy without a title that of its session or, if that has none either, what was said first.
func (k *KeptCopy) call(found *sources.Found) {
	if k.Title == nil {
		k.Title = known(found.Title)
	}
	if k.Title == nil {
		k.FirstMessage = known(found.FirstMessage)
	}
}

// DropCopy removes a copy. Where the session's own files are gone, it is forgotten then: nothing is left of it, neither in lists nor in
// the index.
func (b *Backend) DropCopy(ctx context.Context, id string) error {
	_, err := b.DropCopies(ctx, []string{id})
	return err
}

// DropCopies is [Backend.DropCopy] of several, up to the first that fails, and says which were removed.
func (b *Backend) DropCopies(ctx context.Context, ids []string) (dropped []string, err error) {
	dropped = []string{}
	var alone []library.Ref
	for _, id := range ids {
		ref, last, err := b.dropCopy(ctx, id)
		if last {
			alone = append(alone, ref)
		}
		if err != nil {
			return dropped, errors.Join(err, b.forgetAlone(ctx, alone))
		}
		dropped = append(dropped, id)
	}
	return dropped, b.forgetAlone(ctx, alone)
}

// dropCopy removes a copy, and tells whether it was all that there was of its session.
func (b *Backend) dropCopy(ctx context.Context, id string) (ref library.Ref, last bool, err error) {
	if !library.IsRef(id) {
		if err := session.CheckID(id); err != nil {
			return ref, false, err
		}
		return ref, false, fmt.Errorf("session %s: %w: it is yours", id, copies.ErrNone)
	}
	if ref, err = library.ParseRef(id); err != nil {
		return ref, false, err
	}
	if b.library == nil {
		return ref, false, b.withoutAgents(ref)
	}
	found, _ := b.library.Lookup(ctx, ref) // where it can't be looked for, nobody knows whether its files are gone
	if err := b.library.Drop(ref); err != nil {
		return ref, false, err
	}
	b.news.publish(EventChanged, ref.String())
	return ref, found.FromCopy && b.hidden(ctx, ref, found.Stood) == nil, nil
}

// forgetAlone forgets sessions of which nothing is there any more but what the index has.
func (b *Backend) forgetAlone(ctx context.Context, refs []library.Ref) error {
	refs = slices.DeleteFunc(refs, func(ref library.Ref) bool {
		_, err := b.library.Lookup(ctx, ref)
		return !errors.Is(err, session.ErrNotFound)
	})
	if len(refs) == 0 {
		return nil
	}
	err := b.forget(ctx, refs)
	if errors.Is(err, index.ErrLeft) {
		return err
	}
	if err != nil && !errors.Is(err, errIndexOff) {
		return fmt.Errorf("the copies are gone, but not what the index has of them: %w", err)
	}
	return nil
}
