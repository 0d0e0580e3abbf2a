package backend

import (
	"context"
	"errors"
	"slices"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/query"
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
		ID: id, Agent: a.Agent, Title: known(a.Title), Cwd: known(a.Cwd), Model: a.Model, LastMessageAt: stamp(d.Updated), Gone: d.outlived(),
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

// SessionSearch is all that was found in one session, in its order.
type SessionSearch struct {
	Query query.Query   `json:"query"`
	ID    string        `json:"id"`
	Hits  []SearchPlace `json:"hits"`
	// Total is how many there are, as far as was looked; Complete that this was to the end.
	Total    int  `json:"total"`
	Complete bool `json:"complete"`
}

const (
	placesDefault = 1000
	placesMost    = 5000
	placesTime    = 3 * time.Second
)

// SearchIn finds every place in one session.
func (b *Backend) SearchIn(ctx context.Context, id string, opts SearchOptions) (SessionSearch, error) {
	return again(ctx, b, func() (SessionSearch, error) { return b.searchIn(ctx, id, opts) })
}

func (b *Backend) searchIn(ctx context.Context, id string, opts SearchOptions) (SessionSearch, error) {
	limit := placesDefault
	if opts.Limit > 0 {
		limit = min(opts.Limit, placesMost)
	}
	s, err := b.searching(ctx, opts)
	if err != nil {
		return SessionSearch{}, err
	}
	out := SessionSearch{Query: s.query, ID: id, Hits: []SearchPlace{}}
	if _, known := s.all[id]; !known || s.index == nil {
		// It is not in the index: if it is there at all, nothing was looked at.
		_, err := b.Get(id)
		return out, err
	}
	out.Complete = true
	if !s.finds() || !s.keeps(id) {
		return out, nil
	}
	if slices.Contains(s.byID(), id) {
		out.Hits = append(out.Hits, *s.idPlace(id))
	}
	found, err := s.lookUp(ctx, s.indexQuery(), index.Options{Session: id, Limit: limit, Budget: placesTime})
	if err != nil {
		return out, err
	}
	for i := range found.Hits {
		out.Hits = append(out.Hits, *s.place(&found.Hits[i]))
	}
	out.Complete = found.Complete && len(out.Hits) <= limit
	out.Hits = out.Hits[:min(len(out.Hits), limit)]
	out.Total = len(out.Hits)
	return out, nil
}
