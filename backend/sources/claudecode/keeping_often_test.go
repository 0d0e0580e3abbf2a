//go:build !race

package claudecode

import (
	"fmt"
	"testing"
)

// TestKeptAgainAndAgain: what is kept again by each of many compactions does not cost the square of them.
func TestKeptAgainAndAgain(t *testing.T) {
	allocs := func(n int, about string) float64 {
		var lines []string
		for i := range n {
			parent := fmt.Sprint(i - 1)
			if i == 0 {
				parent = "-"
			}
			lines = append(lines, fmt.Sprintf("%d %s %s", i, parent, user("one")))
		}
		for i := range n {
			lines = append(lines, fmt.Sprintf("b%d - %s", i, boundary(fmt.Sprintf(`,"compactMetadata":{"preservedSegment":{"headUuid":"0","tailUuid":"%d",%s}}`, n-1, about))), fmt.Sprintf("s%d b%d %s", i, i, summed))
		}
		file := rows(lines...)
		if got := len(read(t, file).View(t)); got != n+1 {
			t.Errorf("%d messages, not the summary and %d", got, n)
		}
		return testing.AllocsPerRun(1, func() { read(t, file) })
	}
	for _, about := range []string{`"anchorUuid":"s"`, `"anchorUuid":"b1"`} {
		const few, many = 100, 400
		if a, b := allocs(few, about), allocs(many, about); b > a*many/few*2 {
			t.Errorf("%.0f for %d, %.0f for %d", a, few, b, many)
		}
	}
}
