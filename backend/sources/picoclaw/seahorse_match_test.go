package picoclaw

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/many"
)

// matched is match of slices.
func matched(lines, messages []uint64) (out []int) {
	var a, b many.List[uint64]
	for _, one := range lines {
		a.Add(one)
	}
	for _, one := range messages {
		b.Add(one)
	}
	got := match(&a, &b)
	for i := range got.Len() {
		out = append(out, int(got.At(i)))
	}
	return out
}

// common is how long the longest sequence is that both have.
func common[T comparable](a, b []T) int {
	row := make([]int, len(b)+1)
	for _, one := range a {
		before := 0
		for j, other := range b {
			above := row[j+1]
			if row[j+1] = max(row[j], above); one == other {
				row[j+1] = before + 1
			}
			before = above
		}
	}
	return row[len(b)]
}

// TestMatch: as many lines as can be are messages, each its own, in their order.
func TestMatch(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		some := rapid.SliceOfN(rapid.Uint64Range(1, 3), 0, near)
		lines, messages := some.Draw(rt, "lines"), some.Draw(rt, "messages")
		got := matched(lines, messages)
		is := slices.DeleteFunc(slices.Clone(got), func(at int) bool { return at < 0 })
		for line, at := range got {
			if at >= 0 && lines[line] != messages[at] {
				rt.Fatal(got)
			}
		}
		if !slices.IsSorted(is) || len(slices.Compact(is)) != common(lines, messages) || len(got) != len(lines) {
			rt.Fatal(got)
		}
	})
}

// TestMatchWithoutABeginning: of a database with more than the file has, the last are meant, though all end with the same word.
func TestMatchWithoutABeginning(t *testing.T) {
	const ok, turns, lacking = 1, 60, 40
	var messages []uint64
	for i := range uint64(turns) {
		messages = append(messages, 100+i, ok)
	}
	lines := append(slices.Clone(messages[2*lacking:]), 2) // of which the database has not heard yet
	got := matched(lines, messages)
	for i := range lines[:len(lines)-1] {
		if got[i] != 2*lacking+i {
			t.Fatal(got)
		}
	}
}
