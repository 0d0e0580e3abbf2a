package backend

import (
	"context"
	"errors"

	"palimpsest/backend/index"
)

// again asks the index, and once more if that found it damaged: then it was begun anew, and fills.
func again[T any](ctx context.Context, b *Backend, ask func() (T, error)) (T, error) {
	answer, err := ask()
	if !errors.Is(err, index.ErrRebuilt) {
		return answer, err
	}
	b.warn(err)
	if err := b.refill(ctx); err != nil {
		return answer, err
	}
	return ask()
}

// refill fills an index that is empty: at once or, in doors that stay, in the background; what is asked meanwhile says what is missing.
func (b *Backend) refill(ctx context.Context) error {
	b.indexing.stock.forgetAll()
	if b.resident {
		b.wantScan()
		return nil
	}
	return b.Scan(ctx, false, nil)
}
