package backend

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/session"
)

// find fills in the sessions in which something is found.
func (s *searching) find(ctx context.Context, out *Search) error {
	q, opts := s.indexQuery(), index.Options{Limit: s.opts.Limit, Budget: searchTime, Cursor: s.opts.Cursor, Count: s.opts.Count}
	switch {
	case opts.Count:
		opts.Budget = countTime
	case opts.Cursor != "":
		opts.Budget = furtherTime
	}
	ids := s.byID()
	if begun, half := time.Now(), opts.Budget/2; s.opts.Cursor == "" {
		if err := s.named(ctx, ids, q, half, out); err != nil {
			return err
		}
		opts.Budget = max(opts.Budget-time.Since(begun), half)
	}
	if len(ids) > 0 {
		q.Keep = func(id string) bool { return !slices.Contains(ids, id) && (len(s.filters) == 0 || s.keeps(id)) }
	}
	found, err := s.lookUp(ctx, q, opts)
	if err != nil {
		return err
	}
	for i := range found.Hits {
		hit := &found.Hits[i]
		if row, ok := s.row(hit.ID); ok {
			row.Count = max(found.Counts[hit.ID], 1)
			row.Hit = s.place(hit)
			out.Hits = append(out.Hits, row)
		}
	}
	for scope, n := range found.Scopes {
		out.Scopes[scope.String()] += n
	}
	out.Counted = out.Counted && found.Counted
	out.Complete, out.Cursor = found.Complete, known(found.Cursor)
	return nil
}

// row is a session as an answer shows it; not ok if it is in the trash or gone for good by now.
func (s *searching) row(id string) (SearchHit, bool) {
	d, ok := s.all[id]
	if !ok { // it came after the digests were asked for
		d = digested{Digest: &digest.Digest{About: digest.About{Agent: ownAgent}}, ID: id}
		if ref, err := library.ParseRef(id); err == nil {
			d.About.Agent = ref.Agent
		}
	}
	a := &d.About
	row := SearchHit{
		ID: id, Agent: a.Agent, Title: known(a.Title), Cwd: known(a.Cwd), Model: cmp.Or(a.Model, d.Model), LastMessageAt: stamp(d.Updated), Gone: d.outlived(),
	}
	if !library.IsRef(id) {
		meta, err := s.b.store.Metadata(id)
		if errors.Is(err, session.ErrNotFound) {
			return row, false
		}
		if err == nil {
			row.Title = known(meta.Name)
		}
	}
	if row.Title == nil {
		row.Title = known(headOf(a.First))
	}
	return row, true
}

// place is where a hit is, and what became of it.
func (s *searching) place(hit *index.Hit) *SearchPlace {
	out := &SearchPlace{Scope: hit.Scope.String(), Excerpt: Excerpt{Before: hit.Before, Match: hit.Match, After: hit.After}}
	if !hit.Time.IsZero() {
		out.Time = known(stamp(hit.Time))
	}
	if hit.Line < 0 {
		return out
	}
	out.Seq, out.Index = &hit.Seq, &hit.Line
	out.State = known(string(s.fate(hit.ID, hit.Line, hit.Part)))
	return out
}
