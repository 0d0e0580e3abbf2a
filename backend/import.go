package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"palimpsest/backend/library"
	"palimpsest/backend/session"
)

// What an import did.
const (
	ImportCreated   = "created"
	ImportUpdated   = "updated"
	ImportUnchanged = "unchanged"
)

// Import is a session of ours that is a copy of one of another agent.
type Import struct {
	Session
	// Did is what the import did: created, updated, or unchanged where the copy has all there is.
	Did string `json:"import"`
	// Replaced is an earlier copy of what has become something else; nothing was added to it, and it is in the trash.
	Replaced *string `json:"replaced"`
	// Earlier is an earlier copy that was continued, or has what the original has not any more, and stays.
	Earlier *string `json:"earlier"`
}

// Import makes a session of another agent one of ours. A copy that was made before and not continued is brought up to date: what is new
// is added to it or, where the original has become something else, a new copy takes its place. Where all that became of it is that its agent
// has summarized the beginning and taken that out, nothing is lost of the copy.
func (b *Backend) Import(ctx context.Context, id string) (Import, error) {
	if !library.IsRef(id) {
		if err := session.CheckID(id); err != nil {
			return Import{}, err
		}
		return Import{}, fmt.Errorf("%w: session %s is no session of another agent; fork makes a copy of it", session.ErrInput, id)
	}
	ref, err := library.ParseRef(id)
	if err != nil {
		return Import{}, err
	}
	if b.library == nil {
		return Import{}, b.withoutAgents(ref)
	}
	b.importing.Lock()
	defer b.importing.Unlock()
	var out Import
	err = b.library.UseNow(ctx, ref, func(r library.Reading) error {
		if r.Problem != "" {
			return fmt.Errorf("session %s: only a part of it could be read (nothing was imported): %s", ref, r.Problem)
		}
		release, err := b.store.LockImports(ctx)
		if err != nil {
			return fmt.Errorf("session %s (nothing was imported): %w", ref, err)
		}
		defer release()
		out, err = b.importReading(ctx, r)
		return err
	})
	return out, err
}

// original is what is imported.
type original struct {
	reading library.Reading
	log     *os.File
	from    session.Imported
	blobs   string
	name    string
}

func (b *Backend) importReading(ctx context.Context, r library.Reading) (Import, error) {
	store := b.library.Store()
	log, err := store.OpenLog(r.ID)
	if err != nil {
		return Import{}, err
	}
	defer func() { _ = log.Close() }() // opened for reading
	meta, err := store.Metadata(r.ID)
	if err == nil && meta.Log == nil {
		err = session.ErrNotFound // somebody damaged the cache
	}
	if err != nil {
		return Import{}, fmt.Errorf("importing %s:%s: how long it is: %w", r.Agent, r.Session, err)
	}
	o := original{
		reading: r, log: log, name: meta.Name, blobs: filepath.Join(filepath.Dir(store.LogPath(r.ID)), "blobs"),
		from: session.Imported{
			Agent: r.Agent, ID: r.Session, Path: r.Found.Files[0], Version: r.Found.Version,
			FirstMessage: cmp.Or(r.Found.FirstMessage, typed(meta.Log.FirstMessage)), LastMessageAt: lastOf(&r.Found).UTC(), Bytes: meta.Log.Size,
		},
	}
	copies, err := b.copiesOf(ctx, r.Agent, r.Session)
	if err != nil {
		return Import{}, err
	}
	return b.bring(ctx, &o, copies)
}

// copiesOf are the sessions that were copied from another agent's, the newest first.
func (b *Backend) copiesOf(ctx context.Context, agent, id string) ([]session.Summary, error) {
	all, err := b.store.List(ctx, session.ListOptions{Quick: true})
	all = slices.DeleteFunc(all, func(s session.Summary) bool {
		return s.ImportedFrom == nil || s.ImportedFrom.Agent != agent || s.ImportedFrom.ID != id
	})
	return all, err
}

// rejoins is what an import did that has rejoined a copy.
var rejoins = map[session.Rejoined]string{session.Complete: ImportUnchanged, session.Added: ImportUpdated}

// bring brings the copy up to date that can be, or makes a new one.
func (b *Backend) bring(ctx context.Context, o *original, copies []session.Summary) (Import, error) {
	var untouched *session.Summary
	out := Import{Did: ImportCreated}
	for i := range copies {
		id := copies[i].ID
		standing, err := b.store.Compare(id, o.log, o.from.Bytes)
		if err != nil {
			return out, fmt.Errorf("comparing it with the copy %s: %w", id, err)
		}
		if f := &o.reading.Found; standing == session.Shorter && (f.FromCopy || f.Lacks != "") { // what is left of it is older
			return b.imported(id, Import{Did: ImportUnchanged})
		}
		switch standing {
		case session.Same:
			return b.upToDate(ctx, &copies[i], o, ImportUnchanged)
		case session.Behind:
			if err := b.store.Follow(ctx, id, o.from, o.log, o.blobs); err != nil {
				return out, err
			}
			return b.upToDate(ctx, &copies[i], o, ImportUpdated)
		case session.Untouched, session.Shorter:
			rejoined, err := b.store.Rejoin(ctx, id, o.from, o.log, o.blobs)
			if err != nil {
				return out, err
			}
			if did := rejoins[rejoined]; did != "" {
				return b.upToDate(ctx, &copies[i], o, did)
			}
			if rejoined == session.Alone {
				out.Earlier = &id
				continue
			}
			if untouched == nil && copies[i].Key == "" && len(copies[i].Permissions) == 0 {
				untouched = &copies[i]
			}
		case session.Continued:
			out.Earlier = &id
		}
	}
	return b.copyAnew(ctx, o, untouched, out)
}

// upToDate is a copy that has all of the original by now, and did what the import did to it. The name of the original may be another one, too.
func (b *Backend) upToDate(ctx context.Context, copied *session.Summary, o *original, did string) (Import, error) {
	if copied.FollowsTo(o.name) {
		done, err := b.store.NameAs(ctx, copied.ID, o.name)
		if err != nil {
			return Import{}, err
		}
		if done {
			did = ImportUpdated
		}
	}
	return b.imported(copied.ID, Import{Did: did})
}

// copyAnew makes a new copy. It has the name that the user gave the one whose place it takes.
func (b *Backend) copyAnew(ctx context.Context, o *original, instead *session.Summary, out Import) (Import, error) {
	meta, err := b.library.Store().Metadata(o.reading.ID)
	if err != nil {
		return out, err
	}
	wanted := session.New{Name: o.name, Model: meta.Model, Cwd: meta.Cwd, CreatedBy: b.createdBy}
	made, err := b.store.Copy(wanted, begunOf(&o.reading.Found), o.from, o.log, o.blobs)
	if err != nil {
		return out, err
	}
	if instead == nil {
		return b.imported(made.ID, out)
	}
	var failed []error
	if instead.NamedBy == session.NamedByUser {
		_, err := b.store.Rename(ctx, made.ID, instead.Name)
		failed = append(failed, err)
	}
	if instead.ArchivedAt != nil {
		_, err := b.store.Archive(ctx, made.ID, true)
		failed = append(failed, err)
	}
	if err := b.Trash(ctx, instead.ID); err == nil {
		out.Did, out.Replaced = ImportUpdated, &instead.ID
	} else {
		failed = append(failed, fmt.Errorf("the earlier copy %s stays: %w", instead.ID, err))
	}
	if err := errors.Join(failed...); err != nil {
		b.warn(fmt.Errorf("session %s is imported: %w", made.ID, err))
	}
	return b.imported(made.ID, out)
}

func (b *Backend) imported(id string, out Import) (Import, error) {
	row, err := b.Get(id)
	out.Session = row
	return out, err
}
