package backend

import (
	"context"
	"fmt"
	"slices"
	"time"

	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/query"
)

// SessionSearch is all that was found in one session, in its order.
type SessionSearch struct {
	Query query.Query   `json:"query"`
	ID    string        `json:"id"`
	Hits  []SearchPlace `json:"hits"`
	// Total is how many there are, as far as was looked; Complete that this was to the end of the session as it is now. Skipped says why it
	// was not, if it was not for the limit.
	Total    int          `json:"total"`
	Complete bool         `json:"complete"`
	Skipped  []Unsearched `json:"skipped"`
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
	out := SessionSearch{Query: s.query, ID: id, Hits: []SearchPlace{}, Skipped: []Unsearched{}}
	if _, known := s.all[id]; !known || s.index == nil {
		// It is not in the index: if it is there at all, nothing was looked at.
		out.Skipped = append(out.Skipped, Unsearched{notYetScanned, 1, []string{id}})
		_, err := b.Get(id)
		return out, err
	}
	if out.Skipped, err = s.skippedIn(ctx, id); err != nil {
		return out, err
	}
	whole := !slices.ContainsFunc(out.Skipped, func(u Unsearched) bool { return u.Reason != skippedGone })
	out.Complete = whole
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
	out.Complete = whole && found.Complete && len(out.Hits) <= limit
	out.Hits = out.Hits[:min(len(out.Hits), limit)]
	out.Total = len(out.Hits)
	return out, nil
}

// skippedIn is why a session that the index has is not looked through to its end.
func (s *searching) skippedIn(ctx context.Context, id string) ([]Unsearched, error) {
	out := skippedOf(map[string]digested{id: s.all[id]})
	current, err := s.b.indexing.stock.isCurrent(ctx, id)
	if err == nil && !current {
		out = append([]Unsearched{{notYetScanned, 1, []string{id}}}, out...)
	}
	return out, err
}

// isCurrent tells whether the index has a session as it is now. What is gone is as it was.
func (c *stock) isCurrent(ctx context.Context, id string) (bool, error) {
	row, _, err := c.index.Session(ctx, id)
	if err != nil {
		return false, fmt.Errorf("asking the index: %w", err)
	}
	now, there := c.stampNow(ctx, id)
	return !there || sameStamp(row.Stamp, now), nil
}

// stampNow is that of a session as it is now; not there if it can't be found.
func (c *stock) stampNow(ctx context.Context, id string) (stamp string, there bool) {
	if !library.IsRef(id) {
		summary, err := c.b.store.Get(id)
		if err != nil {
			return "", false
		}
		stamp, _, there = c.stampOf(&summary)
		return stamp, there
	}
	ref, err := library.ParseRef(id)
	if err != nil || c.b.library == nil {
		return "", false
	}
	found, err := c.b.library.Lookup(ctx, ref)
	if err != nil {
		return "", false
	}
	return c.stampTheirs(&found), true
}
