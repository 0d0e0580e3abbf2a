package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/reach"
	"palimpsest/backend/sources"
)

// remembrance is what lists take from the index: numbers of the sessions that are there, and all of those that are not.
type remembrance struct {
	// briefs are of the sessions of other agents that were there when the index was last brought up to date.
	briefs map[string]digest.Brief
	// stamps say what those sessions were like then.
	stamps   map[string]string
	vanished []digested
	// whole is what the index has of one of them.
	whole func(id string) (index.Session, bool)
}

// remembered asks the index what it knows while sessions are looked for. A list does without where it can't say.
func (b *Backend) remembered(ctx context.Context) func() remembrance {
	done := make(chan remembrance, 1)
	go func() {
		told, err := b.rememberAll(ctx)
		if err != nil && ctx.Err() == nil && !errors.Is(err, errIndexOff) {
			b.warn(err)
		}
		done <- told
	}()
	return func() remembrance { return <-done }
}

func (b *Backend) rememberAll(ctx context.Context) (told remembrance, err error) {
	x, err := b.openIndex() //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	if err != nil {
		return told, err
	}
	told.briefs, told.stamps = map[string]digest.Brief{}, map[string]string{}
	if err := x.EachSession(ctx, told.take); err != nil {
		return remembrance{}, fmt.Errorf("asking the index: %w", err)
	}
	told.whole = func(id string) (index.Session, bool) {
		row, there, err := x.Session(ctx, id)
		return row, there && err == nil
	}
	return told, nil
}

func (r *remembrance) take(row *index.Session) {
	if row.Gone {
		if d, err := digest.Recall(row.Digest); err == nil {
			r.vanished = append(r.vanished, digested{d, row.ID, row.Updated, true})
		}
		return
	}
	if !library.IsRef(row.ID) {
		return
	}
	if brief, ok := digest.BriefOf(row.Digest); ok {
		r.briefs[row.ID], r.stamps[row.ID] = brief, row.Stamp
	}
}

// gone are the rows of sessions that vanished, whether the index noticed by now or not, and that no source has found again; and of those
// whose agent has a folder that does not answer. Of one whose file is there and can't be read nobody can tell whether it vanished.
func (r *remembrance) gone(ctx context.Context, listing library.Listing, opts ListOptions, away *reach.Reach, standing func(agent string) map[string]error) (rows []row) {
	there := make(map[string]bool, len(listing.Found)+len(listing.Hidden))
	for _, found := range [][]*sources.Found{listing.Found, listing.Hidden} {
		for i := range found {
			there[library.Ref{Agent: found[i].Agent, ID: found[i].ID}.String()] = true
		}
	}
	all := r.vanished
	for id := range r.briefs {
		if agent, _, _ := strings.Cut(id, ":"); there[id] || !listing.Searched[agent] && listing.Silent[agent] == nil {
			continue // of an agent whose sessions could not be looked for, nothing is known
		}
		row, known := r.whole(id)
		if !known {
			continue
		}
		if d, err := digest.Recall(row.Digest); err == nil && (d.Skip == "" || d.Lines > 0) {
			all = append(all, digested{d, id, row.Updated, true})
		}
	}
	var paths []string
	all = slices.DeleteFunc(all, func(d digested) bool {
		agent, _, _ := strings.Cut(d.ID, ":")
		if there[d.ID] || opts.Agent != "" && opts.Agent != agent || d.About.Relation == string(sources.Subagent) && !opts.Subagents {
			return true
		}
		if listing.Silent[agent] == nil {
			paths = append(paths, d.About.Path)
		}
		return false
	})
	hidden, unread := away.Hidden(ctx, paths...), map[string]map[string]error{}
	for i := range all {
		agent, _, _ := strings.Cut(all[i].ID, ":")
		if unread[agent] == nil {
			unread[agent] = standing(agent)
		}
		path := all[i].About.Path
		why := cmp.Or(listing.Silent[agent], hidden[filepath.Dir(path)], unread[agent][path])
		rows = append(rows, goneRow(&all[i], why))
	}
	return rows
}

// briefed puts in what the index knows.
func (s *Session) briefed(b digest.Brief) {
	if s.MessageCount == nil {
		s.MessageCount = &b.Messages
	}
	if s.Compactions == nil {
		s.Compactions = &b.Compactions
	}
	if s.Model == "" {
		s.Model = b.Model
	}
}
