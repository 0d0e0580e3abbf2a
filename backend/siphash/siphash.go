// Package siphash is SipHash-1-3 (Aumasson and Bernstein, 2012): sums of 64 bits under a key, for what is written by others. Who does not know
// the key can't choose texts that have one sum, and who keeps it has the same sums another time, which [hash/maphash] does not give.
package siphash

import (
	"crypto/rand"
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Key is one of 128 bits.
type Key [2]uint64

// NewKey is one that nobody knows.
func NewKey() Key {
	var random [16]byte
	_, _ = rand.Read(random[:]) // it never fails
	return Key{binary.LittleEndian.Uint64(random[:]), binary.LittleEndian.Uint64(random[word:])}
}

var ours = NewKey()

// Ours is that of this program.
func Ours() Key { return ours }

// Sum is that of a text.
func (k Key) Sum(text string) uint64 {
	h := k.New()
	h.WriteString(text)
	return h.Sum()
}

// word is how many bytes are taken at once.
const word = 8

// Hash sums what is written one after the other.
type Hash struct {
	v0, v1, v2, v3 uint64
	// rest is what is left of the last word, in its low bytes, and size all there was.
	rest uint64
	size uint64
}

// New is one to which nothing was written.
func (k Key) New() Hash {
	return Hash{v0: k[0] ^ 0x736f6d6570736575, v1: k[1] ^ 0x646f72616e646f6d, v2: k[0] ^ 0x6c7967656e657261, v3: k[1] ^ 0x7465646279746573}
}

// WriteString adds a text.
func (h *Hash) WriteString(text string) { h.Write(unsafe.Slice(unsafe.StringData(text), len(text))) }

// Write adds bytes.
func (h *Hash) Write(p []byte) {
	for h.size%word != 0 && len(p) > 0 {
		h.Add(p[0])
		p = p[1:]
	}
	h.size += uint64(len(p))
	v0, v1, v2, v3 := h.v0, h.v1, h.v2, h.v3
	for ; len(p) >= word; p = p[word:] {
		m := binary.LittleEndian.Uint64(p)
		v3 ^= m
		v0, v1, v2, v3 = round(v0, v1, v2, v3)
		v0 ^= m
	}
	h.v0, h.v1, h.v2, h.v3 = v0, v1, v2, v3
	for i, b := range p {
		h.rest |= uint64(b) << (word * i)
	}
}

// Add adds a byte.
func (h *Hash) Add(b byte) {
	h.rest |= uint64(b) << (word * (h.size % word))
	if h.size++; h.size%word == 0 {
		h.v3 ^= h.rest
		h.v0, h.v1, h.v2, h.v3 = round(h.v0, h.v1, h.v2, h.v3)
		h.v0 ^= h.rest
		h.rest = 0
	}
}

// Sum is that of all that was written so far.
func (h *Hash) Sum() uint64 {
	const sized = 56 // bits, below the length
	m := h.rest | h.size<<sized
	v0, v1, v2, v3 := round(h.v0, h.v1, h.v2, h.v3^m)
	v0 ^= m
	v2 ^= 0xff
	for range 3 {
		v0, v1, v2, v3 = round(v0, v1, v2, v3)
	}
	return v0 ^ v1 ^ v2 ^ v3
}

func round(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v3
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 += v3
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	v2 += v1
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	v2 = bits.RotateLeft64(v2, 32)
	return v0, v1, v2, v3
}
