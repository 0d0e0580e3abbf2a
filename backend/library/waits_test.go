package library

import (
	"runtime"
	"testing"

	"palimpsest/backend/waits"
)

// TestSearchWaits: while sources are searched more may wait for the disk than there are processors, and afterwards no more.
func TestSearchWaits(t *testing.T) {
	const few = 2
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(few))
	during, processors := 0, 0
	l := newRig(t).open(&shop{name: "a", wrong: func() error {
		during, processors = runtime.GOMAXPROCS(0), waits.Processors()
		panic("a mistake")
	}})
	_, err := l.List(t.Context())
	must(t, err)
	if after := runtime.GOMAXPROCS(0); during <= few || processors != few || after != few {
		t.Errorf("%d may run during the search on %d processors, %d after it", during, processors, after)
	}
}
