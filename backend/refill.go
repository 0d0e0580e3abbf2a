package backend

import (
	"context"
	"errors"

	"palimpsest/backend/index"
)

// again asks the index, and once more if that found it damaged, or had found it so as it was opened: then it was begun anew, and fills.
func again[T any](ctx context.Context, b *Backend, ask func() (T, error)) (T, error) {
	answer, err := ask()
	switch {
	case errors.Is(err, index.ErrRebuilt):
		b.warn(err)
	case err != nil || !b.begunAnew():
		return answer, err
	case b.resident: // the answer says what is missing
		b.wantScan()
		return answer, nil
	}
	if err := b.refill(ctx); err != nil {
		return answer, err
	}
	return ask()
}

// begunAnew tells, once, that the index is empty since it could not be used as it was.
func (b *Backend) begunAnew() bool {
	b.indexing.mu.Lock()
	defer b.indexing.mu.Unlock()
	return b.indexing.index != nil && b.indexing.index.BegunAnew()
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
