package backend

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/library"
	"palimpsest/backend/session"
)

// vanished is a session whose files are gone, of which the index still has the texts.
type vanished struct {
	ref   library.Ref
	since time.Time
	// hidden is why nobody can tell whether they are; nil if they are gone.
	hidden error
}

func (v *vanished) Error() string {
	if v.hidden != nil {
		return fmt.Sprintf("session %s: %v: its files can't be reached: %v; the index still has its texts", v.ref, session.ErrNotFound, v.hidden)
	}
	return fmt.Sprintf("session %s: %v: its files are gone since %s; the index still has its texts", v.ref, session.ErrNotFound, v.since.Format(time.RFC3339))
}

func (v *vanished) Unwrap() error { return session.ErrNotFound }

const vanishedHint = "nothing was deleted by this program; palimpsest search --session still finds what was said in it"

func isVanished(err error) bool {
	_, is := errors.AsType[*vanished](err)
	return is
}

// ResolveSearched is [Backend.ResolveAny] for a search: a session whose files are gone can be searched as it was.
func (b *Backend) ResolveSearched(ctx context.Context, prefix string) (string, error) {
	id, err := b.ResolveAny(ctx, prefix)
	if gone, is := errors.AsType[*vanished](err); is {
		return gone.ref.String(), nil
	}
	return id, err
}

// whyNotThere says of a session of another agent that is not found whether it was there once.
func (b *Backend) whyNotThere(ctx context.Context, ref library.Ref, err error) error {
	if !errors.Is(err, session.ErrNotFound) {
		return err
	}
	x, openErr := b.openIndex() //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	if openErr != nil {
		return err
	}
	row, there, rowErr := x.Session(ctx, ref.String())
	if rowErr != nil || !there {
		return err
	}
	d, decodeErr := digest.Recall(row.Digest)
	if decodeErr != nil || d.Skip != "" && d.Lines == 0 {
		return err
	}
	since := b.now().UTC().Truncate(time.Second) // it was there when it was read last
	if d.GoneAt != nil {
		since = *d.GoneAt
	}
	return &vanished{ref, since, b.hidden(ctx, ref, d.About.Path)}
}

// hidden is why it can't be told whether a session of another agent is there that stood in a file; nil if it can: its folder can't be looked
// into, or the file is there and can't be read, or not all is known yet that stands in another one.
func (b *Backend) hidden(ctx context.Context, ref library.Ref, path string) error {
	if why := b.reach.Hidden(ctx, path)[filepath.Dir(path)]; why != nil {
		return why
	}
	if b.library.Unlooked(ref) {
		return library.ErrNotLookedThrough
	}
	return b.library.Standing(ref.Agent)[path]
}

// unreachable says why nobody can tell whether the files of a session are there.
func unreachable(why error) string { return fmt.Sprintf("Its files can't be reached: %v", why) }

// goneRow is a session as the index remembers it, and why it can't be told whether its files are there.
func goneRow(d *digested, hidden error) row {
	a := &d.About
	ref, _ := library.ParseRef(d.ID)
	updated := a.Updated
	if d.Spoke.After(updated) {
		updated = d.Spoke
	}
	out := Session{
		ID: d.ID, Name: known(a.Title), Title: known(a.Title), CreatedAt: stamp(a.Created), LastMessageAt: stamp(updated), Model: a.Model,
		Source: session.SourceInteractive, Cwd: known(a.Cwd), FirstMessage: known(a.First), Agent: known(ref.Agent), AgentVersion: known(a.Release),
		Foreign: true, Relation: known(a.Relation), Parent: known(a.Parent), Path: a.Path, Gone: true,
	}
	out.copiedFrom(d.From)
	if hidden != nil {
		out.Problem = known(unreachable(hidden))
	}
	if a.Created.IsZero() {
		out.CreatedAt = out.LastMessageAt
	}
	if a.Archived {
		out.archived(a.Away)
	}
	if d.Lines > 0 {
		out.briefed(digest.Brief{Messages: d.Messages, Compactions: d.Compactions, Model: d.Model})
	}
	return row{out, updated}
}
