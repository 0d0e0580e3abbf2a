package index

import (
	"testing"

	"pgregory.net/rapid"
)

// TestFilterHasTheRunsOfItsTexts, each where its hash says, and nothing else; and it is as small as a quarter of its bits allows.
func TestFilterHasTheRunsOfItsTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := rapid.SampledFrom([]uint8{least, 12, logMost}).Draw(t, "log")
		f, hashes := newFilter(log), map[uint32]bool{}
		for range rapid.IntRange(0, 6).Draw(t, "texts") {
			text := rapid.SliceOfN(rapid.Byte(), 0, 400).Draw(t, "text")
			f.add(text)
			for i := range text {
				hashes[hash(uint32(text[i])|markOne)] = true
				if i >= 1 {
					hashes[hash(uint32(text[i-1])<<8|uint32(text[i])|markTwo)] = true
				}
				if i >= 2 {
					hashes[hash(uint32(text[i-2])<<16|uint32(text[i-1])<<8|uint32(text[i])|markThree)] = true
				}
				if i >= 3 {
					hashes[hashFour(uint32(text[i-3])<<24|uint32(text[i-2])<<16|uint32(text[i-1])<<8|uint32(text[i]))] = true
				}
			}
		}
		places := func() map[uint32]bool {
			out := map[uint32]bool{}
			for h := range hashes {
				out[h>>(32-log)] = true
			}
			return out
		}
		for log > least && len(places())*4 <= 1<<(log-1) {
			log--
		}
		packed, want := f.packed(), places()
		if len(packed)*8 != 1<<log {
			t.Fatalf("%d bits, not %d", len(packed)*8, 1<<log)
		}
		for place := range uint32(1) << log {
			if has := packed[place/8]&(1<<(place%8)) != 0; has != want[place] {
				t.Fatalf("bit %d of %d: %v", place, 1<<log, has)
			}
		}
	})
}
