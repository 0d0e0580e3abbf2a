package backend

import (
	"context"
	"slices"
	"time"

	"palimpsest/backend/library"
	"palimpsest/backend/scan"
	"palimpsest/backend/session"
)

// List looks for all sessions. What a first look has no time for comes behind it: what that found is known meanwhile, so that who looks at a
// session need not wait for all the others. It asks further before each of that.
func (c *stock) List(ctx context.Context, further func() bool) (scan.Listing, error) {
	forgets := c.b.lastList.forgets.Now()
	own, err := c.b.store.List(ctx, session.ListOptions{Quick: true})
	if err != nil {
		return scan.Listing{}, err
	}
	mine, items := c.listOwn(own)
	if c.b.library == nil {
		return c.lay(ctx, mine, items, &library.Listing{}, forgets)
	}
	found, err := c.b.listing(ctx)
	if err != nil {
		return scan.Listing{}, err
	}
	listing, err := c.lay(ctx, mine, items, &found, forgets)
	if err != nil || !c.b.library.PutOff() {
		return listing, err
	}
	if _, err = c.b.library.CatchUp(ctx, further); err != nil {
		return listing, err
	}
	if found, err = c.b.listing(ctx); err != nil {
		return listing, err
	}
	return c.lay(ctx, mine, items, &found, forgets)
}

func (c *stock) listOwn(own []session.Summary) (mine map[string]time.Time, items []scan.Item) {
	mine, items = make(map[string]time.Time, len(own)), make([]scan.Item, 0, len(own))
	for i := range own {
		if stamp, bytes, ok := c.stampOf(&own[i]); ok {
			mine[own[i].ID] = own[i].LastMessageAt
			items = append(items, scan.Item{ID: own[i].ID, Stamp: stamp, Updated: own[i].LastMessageAt, Bytes: bytes})
		}
	}
	return mine, items
}

// lay takes in what was found, and tells of what is otherwise than it was.
func (c *stock) lay(ctx context.Context, mine map[string]time.Time, own []scan.Item, found *library.Listing, forgets int64) (scan.Listing, error) {
	listing := scan.Listing{Items: slices.Grow(slices.Clip(own), len(found.Found))}
	searched, theirs := found.Searched, make(map[string]listed, len(found.Found))
	outlived := c.outlived(ctx)
	for _, f := range found.Found {
		id, one := library.Ref{Agent: f.Agent, ID: f.ID}.String(), listed{f, c.stampTheirs(f), false}
		if f.FromCopy {
			var err error
			if one.outlived, err = outlived(id, one.stamp); err != nil {
				return listing, err
			}
		}
		if theirs[id] = one; !one.outlived {
			listing.Items = append(listing.Items, scan.Item{ID: id, Stamp: one.stamp, Updated: lastOf(f), Bytes: f.Bytes})
		}
	}
	listing.Vanished = func(id string) bool {
		if !library.IsRef(id) {
			return true
		}
		ref, err := library.ParseRef(id)
		return err != nil || theirs[id].outlived || searched[ref.Agent] && !c.b.library.Unlooked(ref)
	}
	before := c.take(mine, theirs, forgets)
	if err := c.second.drop(ctx, func(id string) bool { return theirs[id].found != nil && !theirs[id].outlived }); err != nil {
		c.b.warn(err)
	}
	select {
	case c.b.indexing.relisted <- struct{}{}:
	default: // one that nobody saw yet
	}
	if before != nil {
		tell(c.b, before, theirs, func(a, b listed) bool { return a.stamp == b.stamp }, listing.Vanished)
	} else if shown, ok := c.b.firstList.take(); ok {
		tell(c.b, shown, theirs, func(a, b listed) bool { return sameFound(a.found, b.found) }, listing.Vanished)
	}
	return listing, nil
}
