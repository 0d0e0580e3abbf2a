package many

// sieve is a Bloom filter of one size (Bloom, 1970): most ids that are not in a file are found not to be without a look at it. Of a million,
// 2 in 100 are not.
type sieve []uint64

const (
	sieveHash = 4
	sieveWord = 64
)

// sieveBits is a power of two.
var sieveBits = 8 << 20

func newSieve() sieve { return make(sieve, sieveBits/sieveWord) }

func (s sieve) add(k key) {
	last := uint64(len(s))*sieveWord - 1
	for i := range uint64(sieveHash) {
		bit := (k.high + i*k.low) & last
		s[bit/sieveWord] |= 1 << (bit % sieveWord)
	}
}

func (s sieve) has(k key) bool {
	last := uint64(len(s))*sieveWord - 1
	for i := range uint64(sieveHash) {
		bit := (k.high + i*k.low) & last
		if s[bit/sieveWord]&(1<<(bit%sieveWord)) == 0 {
			return false
		}
	}
	return true
}
