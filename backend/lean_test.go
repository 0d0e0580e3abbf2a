package backend

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestLean: memory is cleared after a fixed part where little is in use, and the rule ends with the scan.
func TestLean(t *testing.T) {
	for live, want := range map[uint64]int{0: percentMost, headroom / 8: percentMost, headroom: 100, 2 * headroom: 50, 100 * headroom: percentLeast} {
		if got := percentFor(live); got != want {
			t.Errorf("%d bytes: %d, not %d", live, got, want)
		}
	}
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	end, another := leanly(), leanly()
	for range 3 {
		runtime.GC()
	}
	end()
	end()
	runtime.GC()
	if got := debug.SetGCPercent(percentLeast); got == 77 {
		t.Error("the rule ended with the first of two who wanted it")
	}
	another()
	runtime.GC()
	if got := debug.SetGCPercent(77); got != 77 {
		t.Errorf("the rule stayed: %d", got)
	}
}
