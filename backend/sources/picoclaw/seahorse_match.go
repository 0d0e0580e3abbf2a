package picoclaw

import (
	"cmp"
	"slices"
)

// near bounds where the message is looked for that a line is: among those that say the same, so many before and behind the one that comes as
// late among them as the line does among its, counted from the first or from the last: a file may lack what the database began with. To match 100,000 lines and messages that all are alike takes a moment then, and 50 MB.
const near = 16

// match finds the messages that the lines of a file are by what they say, as many as can be if both stay in order; -1 for a line that is none.
func match(lines, messages []uint64) []int {
	out := slices.Repeat([]int{-1}, len(lines))
	from, end, last := 0, len(lines), len(messages)
	for ; from < min(end, last) && lines[from] == messages[from]; from++ {
		out[from] = from
	}
	for ; from < min(end, last) && lines[end-1] == messages[last-1]; end, last = end-1, last-1 {
		out[end-1] = last - 1
	}
	places := map[uint64][]int{}
	for i := from; i < last; i++ {
		places[messages[i]] = append(places[messages[i]], i)
	}
	type pair struct{ line, place, before int }
	var pairs []pair
	var ends []int // the last pair of a sequence of one, of two and so on: of each the one whose message comes first
	seen, all := map[uint64]int{}, map[uint64]int{}
	for line := from; line < end; line++ {
		all[lines[line]]++
	}
	for line := from; line < end; line++ {
		same, at := places[lines[line]], seen[lines[line]]
		seen[lines[line]]++
		late := at + len(same) - all[lines[line]]
		for i := min(max(at, late)+near, len(same)-1); i >= max(min(at, late)-near, 0); i-- { // the last one first, or one line would be two
			if i > min(at, late)+near && i < max(at, late)-near {
				i = min(at, late) + near
			}
			n, is := slices.BinarySearchFunc(ends, same[i], func(end, place int) int { return cmp.Compare(pairs[end].place, place) })
			if is {
				continue
			}
			before := -1
			if n > 0 {
				before = ends[n-1]
			}
			if n == len(ends) {
				ends = append(ends, 0)
			}
			ends[n] = len(pairs)
			pairs = append(pairs, pair{line, same[i], before})
		}
	}
	if len(ends) > 0 {
		for at := ends[len(ends)-1]; at >= 0; at = pairs[at].before {
			out[pairs[at].line] = pairs[at].place
		}
	}
	return out
}
