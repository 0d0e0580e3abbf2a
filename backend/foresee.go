package backend

import (
	"context"
	"errors"
	"time"

	"palimpsest/backend/index"
)

// foreseeAfter is how long after the first list the index is looked at for the first search: by then the list is shown.
const foreseeAfter = time.Second

// foresee has look find out what a first search would have to, before there is one.
func foresee(ctx context.Context, look func(context.Context) error) error {
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(foreseeAfter):
	}
	defer leanly()() // it makes as much garbage as a scan does
	if err := look(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}

// foresees does that for the index, for as long as ctx says. One that was found damaged fills again.
func (b *Backend) foresees(ctx context.Context, x *index.Index, want func()) {
	err := foresee(ctx, x.Foresee)
	if err == nil {
		return
	}
	if b.warn(err); errors.Is(err, index.ErrRebuilt) {
		want()
	}
}
