package picoclaw

import (
	"cmp"
	"slices"

	"palimpsest/backend/many"
)

// near bounds where the message is looked for that a line is: among those that say the same, so many before and behind the one that comes as
// late among them as the line does among its, counted from the first or from the last: a file may lack what the database began with. To match 100,000 lines and messages that all are alike takes a moment then, and 50 MB.
const near = 16

// match finds the messages that the lines of a file are by what they say, as many as can be if both stay in order; -1 for a line that is none.
// What both begin and end with takes no memory.
func match(lines, messages *many.List[uint64]) (out many.List[int32]) {
	from, end, last := 0, lines.Len(), messages.Len()
	for ; from < min(end, last) && lines.At(from) == messages.At(from); from++ {
		out.Add(int32(from))
	}
	for ; from < min(end, last) && lines.At(end-1) == messages.At(last-1); end, last = end-1, last-1 {
		continue
	}
	part := func(of *many.List[uint64], to int) (all []uint64) {
		for i := from; i < to; i++ {
			all = append(all, of.At(i))
		}
		return all
	}
	for _, place := range matchAll(part(lines, end), part(messages, last)) {
		if place >= 0 {
			place += from
		}
		out.Add(int32(place))
	}
	for ; end < lines.Len(); end, last = end+1, last+1 {
		out.Add(int32(last))
	}
	return out
}

// matchAll is match of what is in memory.
func matchAll(lines, messages []uint64) []int {
	out := slices.Repeat([]int{-1}, len(lines))
	places := map[uint64][]int{}
	for i, says := range messages {
		places[says] = append(places[says], i)
	}
	type pair struct{ line, place, before int }
	var pairs []pair
	var ends []int // the last pair of a sequence of one, of two and so on: of each the one whose message comes first
	seen, all := map[uint64]int{}, map[uint64]int{}
	for _, says := range lines {
		all[says]++
	}
	for line := range lines {
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
