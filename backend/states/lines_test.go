package states

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLinesAreASortedList: whatever is added, in whatever order.
func TestLinesAreASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		added := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, 70), rapid.IntRange(0, 3000)), 0, 200).Draw(t, "added")
		var open Lines
		for _, i := range added {
			open.add(i)
		}
		lines := open.counted()
		want := slices.Clone(added)
		slices.Sort(want)
		want = slices.Compact(want)
		if got := slices.Collect(lines.All()); !slices.Equal(got, want) || lines.Len() != len(want) {
			t.Fatalf("%d: %v, not %v", lines.Len(), got, want)
		}
		for n, i := range want {
			if lines.At(n) != i {
				t.Fatalf("at %d is %d, not %d", n, lines.At(n), i)
			}
		}
		for _, i := range []int{0, 63, 64, 511, 512, 9999, rapid.IntRange(0, 3100).Draw(t, "index")} {
			before, has := slices.BinarySearch(want, i)
			if lines.Before(i) != before || lines.has(i) != has {
				t.Fatalf("%d before %d, not %d; there: %v", lines.Before(i), i, before, lines.has(i))
			}
		}
	})
}
