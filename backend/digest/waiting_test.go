//go:build !race

package digest

import (
	"fmt"
	"runtime"
	"testing"
)

// TestWaiting: a result has the name of its tool once, and a call that gets none takes no memory for ever.
func TestWaiting(t *testing.T) {
	const calls, most = 300_000, 6 << 20
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var w waiting
	for i := range calls {
		w.called(fmt.Sprintf("call_%030d", i), []string{"bash", "read"}[i%2])
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > most {
		t.Errorf("%d calls take %d bytes", calls, held)
	}
	for i, want := range map[int]string{0: "bash", calls - 1: "read", calls: ""} {
		id := fmt.Sprintf("call_%030d", i)
		if got, again := w.answered(id), w.answered(id); got != want || again != "" {
			t.Errorf("call %d is of %q, then %q, not %q", i, got, again, want)
		}
	}
	w.called("call_again", "bash")
	w.called("call_again", "read")
	if got := w.answered("call_again"); got != "read" {
		t.Errorf("a call made twice is of %q", got)
	}
}
