package sources

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

func TestSideBySide(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		called := make([]atomic.Int32, n)
		if err := SideBySide(t.Context(), n, func(i int) { called[i].Add(1) }); err != nil {
			t.Fatal(err)
		}
		for i := range called {
			if called[i].Load() != 1 {
				t.Errorf("%d of %d: called %d times", i, n, called[i].Load())
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int32
	err := SideBySide(ctx, 1<<20, func(int) { calls.Add(1); cancel() })
	if !errors.Is(err, context.Canceled) || calls.Load() > 1000 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "a mistake") {
			t.Errorf("%.100s", text)
		}
	}()
	_ = SideBySide(t.Context(), 10, func(i int) {
		if i == 3 {
			panic("a mistake")
		}
	})
	t.Error("the panic is nobody's")
}

// TestFew: no more do something at once than may, and one that fails keeps nobody's turn.
func TestFew(t *testing.T) {
	var few Few
	var at, most atomic.Int32
	for range 3 * runtime.GOMAXPROCS(0) {
		func() {
			defer func() { _ = recover() }()
			few.Do(func() { panic("a mistake") })
		}()
	}
	err := SideBySide(t.Context(), 1000, func(int) {
		few.Do(func() {
			now := at.Add(1)
			for before := most.Load(); now > before; before = most.Load() {
				most.CompareAndSwap(before, now)
			}
			runtime.Gosched()
			at.Add(-1)
		})
	})
	if err != nil || int(most.Load()) > runtime.GOMAXPROCS(0) {
		t.Errorf("%d at once, %v", most.Load(), err)
	}
}
