//go:build !race

package digest

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestCopiesAreAList: however many there are, they come back as they were counted, also where more are added to those of a digest; those
// before the first answer have its model.
func TestCopiesAreAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c copier
		var want []Copy
		silent := rapid.SampledFrom([]int{0, 1, copiesBlock - 1, copiesBlock, 3 * copiesBlock}).Draw(t, "unanswered")
		models := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b"}), 1, 5).Draw(t, "models")
		cuts := rapid.SliceOfN(rapid.IntRange(0, 5*copiesBlock), 0, 8).Draw(t, "cuts")
		for i := range silent + rapid.SampledFrom([]int{0, 1, copiesBlock, 2*copiesBlock + 1}).Draw(t, "more") {
			one := Copy{Said: Said(i), Day: Day{Day: "2026-01-02", Sum: Sum{Messages: i}}}
			if i >= silent {
				one.Model = models[i%len(models)]
			}
			*c.add(one.Said) = one.Day
			want = append(want, one)
			if slices.Contains(cuts, i) {
				c = copierOn(c.all())
			}
		}
		if silent < len(want) {
			for i := range silent {
				want[i].Model = want[silent].Model
			}
		}
		// To tell how they differ takes long even where they don't.
		if got := slices.Collect(c.all().Each); !reflect.DeepEqual(want, got) {
			t.Fatal(cmp.Diff(want, got))
		}
	})
}
