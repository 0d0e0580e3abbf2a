package backend

import (
	"context"

	"palimpsest/backend/library"
)

// listing are the sessions of other agents. Where they could not be looked for is said once: it stays so.
func (b *Backend) listing(ctx context.Context) (library.Listing, error) {
	listing, err := b.library.List(ctx)
	for _, unseen := range listing.Unseen {
		b.warnOnce(unseen.Error())
	}
	return listing, err
}
