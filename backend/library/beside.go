package library

import (
	"context"
	"maps"
	"slices"

	"palimpsest/backend/sources"
)

// Beside are all sessions of the agent that one belongs to, that one with them, in no order.
func (l *Library) Beside(ctx context.Context, ref Ref) ([]*sources.Found, error) {
	ctx, done := l.during(ctx)
	defer done()
	_, s, err := l.lookup(ctx, ref, false)
	if err != nil {
		return nil, err
	}
	return slices.Collect(maps.Values(s.all())), nil
}
