package forgets

import (
	"path/filepath"
	"sync"
	"testing"
)

// TestCount: whoever counts, each counts.
func TestCount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache", "forgets")
	if n := Count(path).Now(); n != 0 {
		t.Errorf("%d before the first", n)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := Count(path).Add(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := Count(path).Now(); n != 20 {
		t.Errorf("%d, not 20", n)
	}
	if none := Count(""); none.Add() != nil || none.Now() != 0 {
		t.Error("without a file, something is counted")
	}
}
