package many

// sieve is a Bloom filter of one size (Bloom, 1970): most ids that are not in a file are found not to be without a look at it. Of a million,
// 2 in 100 are not.
type sieve []uint64

const (
	sieveBits  = 8 << 20
	sieveHash  = 4
	sieveWord  = 64
	sieveWords = sieveBits / sieveWord
)

func newSieve() sieve { return make(sieve, sieveWords) }

func (s sieve) add(k key) {
	for i := range uint64(sieveHash) {
		bit := (k.high + i*k.low) % sieveBits
		s[bit/sieveWord] |= 1 << (bit % sieveWord)
	}
}

func (s sieve) has(k key) bool {
	for i := range uint64(sieveHash) {
		bit := (k.high + i*k.low) % sieveBits
		if s[bit/sieveWord]&(1<<(bit%sieveWord)) == 0 {
			return false
		}
	}
	return true
}
