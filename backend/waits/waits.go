// Package waits lets many goroutines wait for a disk at once where there are few processors.
//
// A goroutine that waits in the system for what it reads keeps the right to run that it has, of which there is one for each processor,
// until Go's runtime notices that others could use it: some 100 µs later, about as long as a disk takes for a small read. So on a machine
// with two processors little more than two reads are under way, however many goroutines there are, and both processors are idle for half of
// the time. The 24,000 reads of a first list of 10,000 sessions take 1.2 to 2.0 s so, and 1.1 to 1.3 s with eight such rights; a list, which
// also computes, gains nothing from sixteen.
package waits

import (
	"runtime"
	"sync"
)

// enough is how many may wait at once. A machine that has as many processors is left as it is.
const enough = 8

var (
	mu      sync.Mutex
	readers int
	before  int
)

// Processors is how many there are to compute on, whoever waits: what bounds memory or work asks for this.
func Processors() int {
	mu.Lock()
	defer mu.Unlock()
	if readers > 0 {
		return before
	}
	return runtime.GOMAXPROCS(0)
}

// Begin is called before many small reads, and end after them.
func Begin() (end func()) {
	mu.Lock()
	defer mu.Unlock()
	if readers++; readers == 1 {
		before = runtime.GOMAXPROCS(0)
		set(max(before, enough))
	}
	return sync.OnceFunc(func() {
		mu.Lock()
		defer mu.Unlock()
		if readers--; readers == 0 {
			set(before)
		}
	})
}

// set stops everything for a moment, and does not where nothing changes.
func set(n int) {
	if n != runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(n)
	}
}
