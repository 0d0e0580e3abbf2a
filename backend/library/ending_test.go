package library

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// TestEnding: of what was written the end is there, where it stood, and of what is not held nothing is told.
func TestEnding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var e ending
		var all []byte
		for n := range rapid.IntRange(0, 8).Draw(t, "writes") {
			p := bytes.Repeat([]byte{byte(n), 1}, rapid.SampledFrom([]int{0, 1, 1000, endMost/2 - 1, endMost / 2, endMost, 2 * endMost}).Draw(t, "length"))
			all = append(all, p...)
			e.write(p)
		}
		if cap(e.text) > 8*endMost {
			t.Fatal(cap(e.text))
		}
		from := rapid.IntRange(max(0, len(all)-endMost), len(all)).Draw(t, "from")
		got := make([]byte, len(all)-from)
		if n, err := e.ReadAt(got, int64(from)); n != len(got) || err != nil || !bytes.Equal(got, all[from:]) {
			t.Fatal(n, err)
		}
		if before := len(all) - 3*endMost; before > 0 {
			if n, err := e.ReadAt(got, int64(before)); n != 0 || err == nil {
				t.Fatal(n, err)
			}
		}
	})
}
