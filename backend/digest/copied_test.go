package digest

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"palimpsest/backend/record"
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

// TestCopiesTakeLittle: an answer that was copied takes some tens of bytes.
func TestCopiesTakeLittle(t *testing.T) {
	const count, most = 20_000, 40
	random := rand.New(rand.NewPCG(1, 2))
	var c copier
	for range count {
		day := c.add(Said(random.Uint64() >> (64 - 8*saidBytes)))
		*day = Day{Day: "2026-01-02", Model: "claude-opus-4-5", Sum: Sum{Messages: 1}, Tools: map[string]Tool{"Bash": {Calls: 1}}}
		day.used(&record.Usage{Input: random.IntN(100), Output: random.IntN(1000), CacheRead: random.IntN(200_000)})
	}
	if each := len(c.all()) / count; each > most {
		t.Errorf("%d bytes for each", each)
	}
}

// FuzzCopies: of what is no list of copies there are as many as can be read.
func FuzzCopies(f *testing.F) {
	var c copier
	*c.add(7) = Day{Day: "2026-01-02", Model: "m"}
	f.Add([]byte(c.all()))
	f.Add([]byte{200, 1, 0})
	f.Fuzz(func(_ *testing.T, text []byte) {
		for one := range Copies(text).Each {
			_ = one
		}
	})
}
