package digest

import (
	"math/rand/v2"
	"testing"

	"palimpsest/backend/record"
)

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
