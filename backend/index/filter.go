package index

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A filter says which runs of one to four bytes may occur in the folded text of a block: a bit for the hash of each. Of a
// literal, all runs must be there.

// logMost is the size of the largest filter, as a power of two.
const logMost = 17

// filter collects the runs of a block.
type filter struct {
	// room has the bits of the largest there is, of which a smaller one is made: where a hash goes is told by shifts that never change, which
	// processors have several times as fast as others.
	room [1 << logMost / 64]uint64
	log  uint8
	one  [256]bool // runs of one byte, which get into the bits at the end
}

// newFilter is one of 1<<log bits, at most 1<<logMost.
func newFilter(log uint8) *filter { return &filter{log: log} }

// bits are those that it has.
func (f *filter) bits() []uint64 {
	words := f.room[:]
	if f.log < logMost {
		words = slices.Clone(words)
	}
	for len(words)*64 > 1<<f.log {
		words, _ = halved(words)
	}
	return words
}

// Runs of different lengths are told apart by a byte above them; those of four bytes have a factor of their own.
const (
	spread     = 0x9E3779B1
	spreadFour = 0x85EBCA6B
	markOne    = 1 << 24
	markTwo    = 2 << 24
	markThree  = 3 << 24
)

func hash(run uint32) uint32     { return run * spread }
func hashFour(run uint32) uint32 { run ^= run >> 15; return run * spreadFour }

// Of a hash the upper bits say which bit it is, and those above the lower six of these in which word.
const (
	toBit  = 32 - logMost
	toWord = toBit + 6
)

func (f *filter) set(h uint32) { f.room[h>>toWord] |= 1 << (h >> toBit & 63) }

// add puts all runs of a folded text into the filter.
func (f *filter) add(text []byte) {
	var run uint32
	for i, c := range text[:min(3, len(text))] {
		f.one[c] = true
		run = run<<8 | uint32(c)
		if i >= 1 {
			f.set(hash(run&0xFFFF | markTwo))
		}
		if i == 2 {
			f.set(hash(run | markThree))
		}
	}
	if len(text) <= 3 {
		return
	}
	bits := &f.room
	for _, c := range text[3:] {
		f.one[c] = true
		run = run<<8 | uint32(c)
		two, three, four := hash(run&0xFFFF|markTwo), hash(run&0xFFFFFF|markThree), hashFour(run)
		bits[two>>toWord] |= 1 << (two >> toBit & 63)
		bits[three>>toWord] |= 1 << (three >> toBit & 63)
		bits[four>>toWord] |= 1 << (four >> toBit & 63)
	}
}

// addTool says that texts of a tool are in the block.
func (f *filter) addTool(tool string) { f.set(hashTool(tool)) }

func hashTool(tool string) uint32 {
	h := uint32(2166136261)
	for i := range len(tool) {
		h = (h ^ uint32(tool[i])) * 16777619
	}
	return hashFour(h)
}

// count is how many bits are set.
func (f *filter) count() int { return countOf(f.bits()) }

func countOf(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}

func (f *filter) clear() {
	clear(f.room[:])
	clear(f.one[:])
}

// least is the size of the smallest filters, as a power of two.
const least = 9

// packed is the filter, made as small as it can be with no more than a quarter of its bits set. It is to be cleared then.
func (f *filter) packed() []byte {
	for c, there := range f.one {
		if there {
			f.set(hash(uint32(c) | markOne))
		}
	}
	words := f.bits()
	for n := countOf(words); len(words)*64 > 1<<least && n*4 <= len(words)*32; {
		words, n = halved(words)
	}
	out := make([]byte, 0, len(words)*8)
	for _, w := range words {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out
}

// halved is a filter of half the size, in the place of what it is made of, and how many of its bits are set. Since the upper bits of a hash say
// where it goes, that is joining neighbours.
func halved(words []uint64) (half []uint64, n int) {
	half = words[:len(words)/2]
	for i := range half {
		half[i] = joined(words[2*i]) | joined(words[2*i+1])<<32
		n += bits.OnesCount64(half[i])
	}
	return half, n
}

// joined are 32 bits that say of each pair of bits whether one is set.
func joined(w uint64) uint64 {
	w = (w | w>>1) & 0x5555555555555555
	w = (w | w>>1) & 0x3333333333333333
	w = (w | w>>2) & 0x0F0F0F0F0F0F0F0F
	w = (w | w>>4) & 0x00FF00FF00FF00FF
	w = (w | w>>8) & 0x0000FFFF0000FFFF
	return (w | w>>16) & 0xFFFFFFFF
}

// mayHold asks a packed filter for a hash.
func mayHold(packed []byte, h uint32) bool {
	h >>= 32 - uint(bits.TrailingZeros(uint(len(packed)*8)))
	return packed[h>>3]&(1<<(h&7)) != 0
}

// hashesMost bounds how many runs of a literal are asked for.
const hashesMost = 12

// hashesOf are the hashes of the runs that say most about a folded literal.
func hashesOf(literal []byte) []uint32 {
	switch len(literal) {
	case 0:
		return nil
	case 1:
		return []uint32{hash(uint32(literal[0]) | markOne)}
	case 2:
		return []uint32{hash(uint32(literal[0])<<8 | uint32(literal[1]) | markTwo)}
	}
	var threes, fours []uint32
	for i := 2; i < len(literal); i++ {
		run := uint32(literal[i-2])<<16 | uint32(literal[i-1])<<8 | uint32(literal[i])
		threes = append(threes, hash(run|markThree))
		if i >= 3 {
			fours = append(fours, hashFour(run|uint32(literal[i-3])<<24))
		}
	}
	return append(evenly(fours, hashesMost), evenly(threes, max(1, hashesMost-len(fours)))...)
}

// evenly are at most n of them, from all over.
func evenly(all []uint32, n int) []uint32 {
	if len(all) <= n {
		return all
	}
	out := make([]uint32, n)
	for i := range out {
		out[i] = all[i*len(all)/n]
	}
	return out
}
