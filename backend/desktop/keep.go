package desktop

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// keeper writes down where the window is.
type keeper struct {
	path string
	look func(context.Context) (view, bool)
	warn func(error)

	mu   sync.Mutex // the clock and the close button both keep
	last place
}

// run looks at every tick, until the context ends: no desktop tells Wails when a window was moved, and a program that
// crashes should not forget.
func (k *keeper) run(ctx context.Context, ticks <-chan time.Time) {
	for {
		select {
		case <-ticks:
			k.keep(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// keep looks once and writes what has changed.
func (k *keeper) keep(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	seen, ok := k.look(ctx)
	if !ok {
		return
	}
	now := k.last.next(seen)
	if now == k.last {
		return
	}
	k.last = now // said once, not at every tick, if it can't be written
	if err := store(k.path, now); err != nil {
		k.warn(fmt.Errorf("keeping the window's size and place: %w", err))
	}
}
