//go:build !race

package gemini

import (
	"runtime"
	"testing"

	"palimpsest/backend/sources"
)

// TestNothingGrowsWithTheSquare: of a file that is eight times as long the log is not much longer than that, and no more memory is used up
// for it.
func TestNothingGrowsWithTheSquare(t *testing.T) {
	const few, times, most = 40, 8, 12
	spare(t, 0, 4)
	for name, lines := range hostile {
		read := func(n int) (written, taken int64) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var out counting
			log := sources.NewLog("gemini", "s1", &out, nil)
			if err := readInto(t, log, file(lines(n)...)); err != nil {
				t.Fatal(name, err)
			}
			runtime.ReadMemStats(&after)
			return int64(out), int64(after.TotalAlloc - before.TotalAlloc)
		}
		written, taken := read(few)
		writtenLong, takenLong := read(times * few)
		if writtenLong > most*written || takenLong > most*taken {
			t.Errorf("%s: of a file %d times as long the log has %d bytes, not %d, and %d were allocated, not %d", name, times, writtenLong, written, takenLong, taken)
		}
	}
}
