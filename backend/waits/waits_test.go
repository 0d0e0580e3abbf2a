package waits

import (
	"runtime"
	"testing"
)

// TestBegin: there are as many as are enough until the last one has ended, however often one ends, and as many as before then.
func TestBegin(t *testing.T) {
	for _, had := range []int{1, 2, enough, 2 * enough} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(had))
		want := max(had, enough)
		first, second := Begin(), Begin()
		first()
		first()
		if got := runtime.GOMAXPROCS(0); got != want || Processors() != had {
			t.Errorf("%d processors are %d while one reads, not %d, and %d to compute on", had, got, want, Processors())
		}
		second()
		if got := runtime.GOMAXPROCS(0); got != had || Processors() != had {
			t.Errorf("%d processors are %d afterwards", had, got)
		}
	}
}
