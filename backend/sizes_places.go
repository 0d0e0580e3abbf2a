package backend

import (
	"cmp"
	"slices"
	"sort"

	"palimpsest/backend/many"
	"palimpsest/backend/session"
)

// sizePlaces are the lines of a log at which the size of its context is told, the most telling first: the end, the start,
// and then, turn about, one that is spread over the log, coarse to fine, and those around a compaction, newest first.
type sizePlaces struct {
	order       []int
	compactions []around
}

// around is the line of a compaction, with what stands for the sizes before and after it; -1 where no line can be named for that.
type around struct{ line, before, at int }

// placesIn chooses up to points lines, and those around the last compactions. Only a line that its seq names for certain is chosen: where a damaged
// log repeats one, `at` means the last that has it.
func placesIn(x *session.Index, points int) sizePlaces {
	lines := named(x)
	var p sizePlaces
	for _, indexed := range slices.Backward(x.Overlays) {
		if indexed.Record.Compaction == nil {
			continue
		}
		if len(p.compactions) == sizesAround {
			break
		}
		p.compactions = append(p.compactions, aroundOf(lines, indexed.Index))
	}
	slices.Reverse(p.compactions)
	p.order = inTurn(coarseToFine(spread(lines, points)), p.compactions)
	return p
}

// namedLines are the lines whose seq no later one has. There may be millions.
type namedLines struct{ backward many.List[int32] }

// named finds them. A seq as high as a later one may stand in front of a repetition, and is not looked into: only damage does that.
func named(x *session.Index) *namedLines {
	lines := &namedLines{}
	var least int64
	for i, line := range x.Lines.Backward() {
		if line.Seq > 0 && (least == 0 || line.Seq < least) {
			lines.backward.Add(int32(i)) //nolint:gosec // nobody holds so many
			least = line.Seq
		}
	}
	return lines
}

func (l *namedLines) len() int     { return l.backward.Len() }
func (l *namedLines) at(i int) int { return int(l.backward.At(l.len() - 1 - i)) }

func aroundOf(lines *namedLines, compaction int) around {
	at, found := sort.Find(lines.len(), func(i int) int { return cmp.Compare(compaction, lines.at(i)) })
	a := around{compaction, -1, -1}
	if at > 0 {
		a.before = lines.at(at - 1)
	}
	if found {
		a.at = lines.at(at)
	}
	return a
}

// spread takes up to n of the lines, evenly, the first and the last with them.
func spread(lines *namedLines, n int) []int {
	count := lines.len()
	if n == 1 && count > 0 {
		return []int{lines.at(count - 1)}
	}
	out := make([]int, min(n, count))
	for k := range out {
		out[k] = lines.at(k * (count - 1) / max(len(out)-1, 1))
	}
	return out
}

// coarseToFine puts the last in front, then the first, and then always the middle of what is left out.
func coarseToFine(lines []int) []int {
	n := len(lines)
	if n < 2 {
		return lines
	}
	out := []int{lines[n-1], lines[0]}
	gaps := [][2]int{{0, n - 1}}
	for len(gaps) > 0 {
		from, to := gaps[0][0], gaps[0][1]
		gaps = gaps[1:]
		if to-from < 2 {
			continue
		}
		middle := (from + to) / 2
		out = append(out, lines[middle])
		gaps = append(gaps, [2]int{from, middle}, [2]int{middle, to})
	}
	return out
}

// inTurn puts both into one order, each line once.
func inTurn(spread []int, compactions []around) []int {
	out, has := make([]int, 0, len(spread)+2*len(compactions)), map[int]bool{}
	add := func(lines ...int) {
		for _, line := range lines {
			if line >= 0 && !has[line] {
				out, has[line] = append(out, line), true
			}
		}
	}
	const ends = 2
	add(spread[:min(ends, len(spread))]...)
	spread = spread[min(ends, len(spread)):]
	for k := range max(len(spread), len(compactions)) {
		if k < len(compactions) {
			c := compactions[len(compactions)-1-k]
			add(c.before, c.at)
		}
		if k < len(spread) {
			add(spread[k])
		}
	}
	return out
}
