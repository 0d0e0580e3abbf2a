package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

func (p *program) searchAll(cmd *cobra.Command, b *backend.Backend, opts backend.SearchOptions) error {
	found, err := searchUpTo(cmd.Context(), b.Search, opts)
	if err != nil {
		return err
	}
	if p.json {
		return p.answer(found)
	}
	if err := p.foundBy(found.Query, len(found.Hits)); err != nil {
		return err
	}
	for i := range found.Hits {
		if err := p.hit(&found.Hits[i]); err != nil {
			return err
		}
	}
	return p.searchEnd(&found)
}

// searchUpTo goes on until it has as many sessions as are asked for: one answer has no more than fit a page, or were found in its time.
func searchUpTo(ctx context.Context, search func(context.Context, backend.SearchOptions) (backend.Search, error), opts backend.SearchOptions) (backend.Search, error) {
	found, err := search(ctx, opts)
	wanted := cmp.Or(opts.Limit, backend.SearchDefault)
	for err == nil && found.Cursor != nil && len(found.Hits) < wanted {
		opts.Limit, opts.Cursor = wanted-len(found.Hits), *found.Cursor
		var more backend.Search
		more, err = search(ctx, opts)
		found.Hits = append(found.Hits, more.Hits...)
		for scope, n := range more.Scopes {
			found.Scopes[scope] += n
		}
		found.Complete, found.Cursor, found.Took = more.Complete, more.Cursor, found.Took+more.Took
	}
	return found, err
}
