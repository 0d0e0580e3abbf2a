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
	for live, want := range map[uint64]int64{0: spaceMost, spaceMost - spaceLeast: spaceMost, spaceMost: spaceMost + spaceLeast} {
		if got := limitFor(live); got != want {
			t.Errorf("%d bytes: at most %d, not %d", live, got, want)
		}
	}
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	const own = 1 << 40
	allowed := debug.SetMemoryLimit(own)
	defer debug.SetMemoryLimit(allowed)
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
	if got := debug.SetMemoryLimit(-1); got == own {
		t.Error("there is no limit")
	}
	another()
	runtime.GC()
	if got := debug.SetGCPercent(77); got != 77 {
		t.Errorf("the rule stayed: %d", got)
	}
	if got := debug.SetMemoryLimit(-1); got != own {
		t.Errorf("the limit stayed: %d", got)
	}
}
