package siphash

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSum: sums under the key of zeros are those that CPython 3.11 has of bytes where PYTHONHASHSEED is 0.
func TestSum(t *testing.T) {
	for n, want := range map[int]uint64{
		1:   0x68a914128e01e473,
		7:   0x2f098ab0c751325a,
		8:   0xead411e67ebe2eea,
		9:   0x75927f9d95124362,
		15:  0xf30eb725bb91c9ea,
		16:  0x8972188433a5c5b7,
		17:  0x4883c49a2c009c1d,
		36:  0xac77921fcc642bd3,
		100: 0x1c6a66e1506e7908,
	} {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(i)
		}
		if got := (Key{}).Sum(string(text)); got != want {
			t.Errorf("of %d bytes: %#x, not %#x", n, got, want)
		}
	}
}

// TestInPieces: a sum is of all that was written, in whatever pieces, and another under another key.
func TestInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key, whole := NewKey(), ""
		h := key.New()
		for _, piece := range rapid.SliceOf(rapid.StringN(0, -1, 20)).Draw(t, "pieces") {
			if len(piece) == 1 {
				h.Add(piece[0])
			} else {
				h.WriteString(piece)
			}
			whole += piece
		}
		if h.Sum() != key.Sum(whole) {
			t.Fatalf("%q: %x, not %x", whole, h.Sum(), key.Sum(whole))
		}
		if NewKey().Sum(whole) == key.Sum(whole) {
			t.Fatal("the key does not matter")
		}
	})
}
