package sources

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"palimpsest/backend/waits"
)

// SideBySide calls f for each number below n, several at a time: more than there are processors, since what f does is mostly to wait for a
// disk. It returns when all calls have ended; if ctx has ended before, some were not made. A panic in one of them is one of the caller's.
func SideBySide(ctx context.Context, n int, f func(i int)) error {
	sideBySide(n, func() bool { return ctx.Err() != nil }, f)
	return ctx.Err()
}

// AllSideBySide is [SideBySide] that nothing ends.
func AllSideBySide(n int, f func(i int)) { sideBySide(n, func() bool { return false }, f) }

func sideBySide(n int, over func() bool, f func(i int)) {
	var next atomic.Int64
	var fault atomic.Pointer[string]
	var wg sync.WaitGroup
	for range min(width(), n) {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					text := fmt.Sprintf("%v\n%s", r, debug.Stack())
					fault.Store(&text)
				}
			}()
			for !over() && fault.Load() == nil {
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
}

// width is how many calls are made at once. Of files that are not in the system's memory, a disk reads eight in half of the time that it
// takes for two; thirty-two gain nothing more on two processors, and each may hold some of a file.
func width() int {
	const each, least, most = 4, 8, 16
	return min(max(each*waits.Processors(), least), most)
}

// Few lets as many at once do something as there are processors: what holds much of a file, among many that are looked at side by side.
type Few struct {
	once  sync.Once
	slots chan struct{}
}

// Do calls f when it may. What f does must not need another turn of the same.
func (few *Few) Do(f func()) {
	few.once.Do(func() { few.slots = make(chan struct{}, waits.Processors()) })
	few.slots <- struct{}{}
	defer func() { <-few.slots }()
	f()
}
