package sources

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// SideBySide calls f for each number below n, several at a time, one for each processor. It returns when all calls have ended; if ctx has
// ended before, some were not made. A panic in one of them is one of the caller's.
func SideBySide(ctx context.Context, n int, f func(i int)) error {
	var next atomic.Int64
	var fault atomic.Pointer[string]
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					text := fmt.Sprintf("%v\n%s", r, debug.Stack())
					fault.Store(&text)
				}
			}()
			for ctx.Err() == nil && fault.Load() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		})
	}
	wg.Wait()
	if text := fault.Load(); text != nil {
		panic(*text)
	}
	return ctx.Err()
}
