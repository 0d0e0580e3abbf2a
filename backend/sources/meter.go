package sources

import (
	"context"
	"sync/atomic"
)

type meterKey struct{}

// Metered returns a context for [Lines] to add up in n the bytes that it has gone through, so that who waits can be told how far a
// reading is. A source that goes through a file twice adds it up twice.
func Metered(ctx context.Context, n *atomic.Int64) context.Context {
	return context.WithValue(ctx, meterKey{}, n)
}

// meterOf is where bytes are added up: nowhere, if nobody asked.
func meterOf(ctx context.Context) *atomic.Int64 {
	if n, ok := ctx.Value(meterKey{}).(*atomic.Int64); ok {
		return n
	}
	return new(atomic.Int64)
}
