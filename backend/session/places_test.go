package session

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sameLines compares lines one by one, however they are kept.
var sameLines = cmp.Transformer("lines", func(l Lines) []Line {
	var out []Line
	for _, line := range l.All() {
		out = append(out, line)
	}
	return out
})

// TestLinesAreAList: lines are given back as they were added, near each other or not, also by those that share what they had.
func TestLinesAreAList(t *testing.T) {
	far := rapid.SampledFrom([]int64{0, 1, 100, 70_000, math.MaxUint32, math.MaxUint32 + 1, 1 << 40})
	rapid.Check(t, func(t *rapid.T) {
		var got Lines
		var want []Line
		last := Line{Seq: rapid.SampledFrom([]int64{0, 1, 1 << 52}).Draw(t, "first")}
		for range rapid.IntRange(1, 6).Draw(t, "runs") {
			jump, length, seq := far.Draw(t, "offset"), far.Draw(t, "length"), far.Draw(t, "seq")-far.Draw(t, "back")
			for range rapid.IntRange(0, partLines).Draw(t, "count") {
				last.Offset, last.Length, last.Number, last.Kind = last.Offset+1, length%7, last.Number+1, LineKind(length%6)
				line := last
				if line.Seq = last.Seq + 1; line.Seq%5 == 0 {
					line.Seq = 0
				}
				got.add(line)
				want = append(want, line)
				last.Seq++
			}
			last.Offset, last.Seq, last.Number = last.Offset+jump, max(last.Seq+seq, 0), last.Number+int32(jump%100_000)
			got.add(Line{Offset: last.Offset, Length: length, Seq: last.Seq, Number: last.Number})
			want = append(want, Line{Offset: last.Offset, Length: length, Seq: last.Seq, Number: last.Number})
		}
		upTo := rapid.IntRange(0, len(want)).Draw(t, "upTo")
		other, otherWant := got.UpTo(upTo), slices.Clone(want[:upTo])
		for i := range int64(rapid.IntRange(0, 2*partLines).Draw(t, "more")) {
			line := Line{Offset: last.Offset + i*i, Length: i, Seq: i}
			other.add(line)
			otherWant = append(otherWant, line)
		}
		for _, c := range []struct {
			lines Lines
			want  []Line
		}{{got, want}, {other, otherWant}} {
			same(t, c.want, &c.lines)
		}
	})
}

func same(t *rapid.T, want []Line, got *Lines) {
	if got.Len() != len(want) {
		t.Fatalf("%d lines, not %d", got.Len(), len(want))
	}
	at := 0
	for i, line := range got.All() {
		if i != at || line != want[i] {
			t.Fatalf("line %d is %d, %+v, not %+v", at, i, line, want[i])
		}
		at++
	}
	for i, line := range got.Backward() {
		if at--; i != at || line != want[i] {
			t.Fatalf("on the way back line %d is %d, %+v, not %+v", at, i, line, want[i])
		}
	}
	if at != 0 {
		t.Fatalf("%d lines are missing on the way back", at)
	}
}
