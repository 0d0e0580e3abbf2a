package states

import (
	"iter"
	"math/bits"
	"sort"
)

// Lines are lines by their indexes, in order, in little more than a bit for each that a log has.
type Lines struct {
	words []uint64
	// ranks are how many there are before every some words.
	ranks []int32
	count int
}

const (
	wordBits  = 64
	rankWords = 8
)

func (l *Lines) add(i int) {
	for len(l.words) <= i/wordBits {
		l.words = append(l.words, 0)
	}
	l.words[i/wordBits] |= 1 << (i % wordBits)
}

func (l *Lines) has(i int) bool {
	return i/wordBits < len(l.words) && l.words[i/wordBits]>>(i%wordBits)&1 == 1
}

// counted is for lines to which nothing is added any more.
func (l *Lines) counted() Lines {
	out := Lines{words: l.words}
	for i, word := range l.words {
		if i%rankWords == 0 {
			out.ranks = append(out.ranks, int32(out.count)) //nolint:gosec // a log has fewer
		}
		out.count += bits.OnesCount64(word)
	}
	return out
}

// Len is how many there are.
func (l *Lines) Len() int { return l.count }

// At is the one that stands behind n others.
func (l *Lines) At(n int) int {
	block := sort.Search(len(l.ranks), func(k int) bool { return int(l.ranks[k]) > n }) - 1
	n -= int(l.ranks[block])
	for i := block * rankWords; ; i++ {
		word := l.words[i]
		if ones := bits.OnesCount64(word); n >= ones {
			n -= ones
			continue
		}
		for range n {
			word &= word - 1
		}
		return i*wordBits + bits.TrailingZeros64(word)
	}
}

// Before is how many stand before the line with an index.
func (l *Lines) Before(index int) (n int) {
	at := index / wordBits
	if at >= len(l.words) {
		return l.count
	}
	n = int(l.ranks[at/rankWords])
	for _, word := range l.words[at/rankWords*rankWords : at] {
		n += bits.OnesCount64(word)
	}
	return n + bits.OnesCount64(l.words[at]&(1<<(index%wordBits)-1))
}

// All are their indexes.
func (l *Lines) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range l.words {
			for ; word != 0; word &= word - 1 {
				if !yield(i*wordBits + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
