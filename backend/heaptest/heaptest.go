// Package heaptest tells tests how much memory is in use.
package heaptest

import "runtime"

// InUse is how much memory is, once everything that is not was let go of: what pools hold goes the second time.
func InUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
