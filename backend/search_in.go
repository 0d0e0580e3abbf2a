package backend

import (
	"context"
	"slices"
	"time"

	"palimpsest/backend/index"
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
