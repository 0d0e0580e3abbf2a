package tokens

import "math"

// Usage is what a provider reported for one request, in tokens. Input leaves out what was read
// from or written to the provider's cache. The numbers come from outside and may be nonsense;
// negative ones count as zero.
type Usage struct {
	Input      int `json:"input"`
	Output     int `json:"output"`
	CacheRead  int `json:"cacheRead"`
	CacheWrite int `json:"cacheWrite"`
}

// Size is the context after the answer: the sum of all four parts, at most [math.MaxInt].
func (u Usage) Size() int {
	return add(u.Prompt(), u.Output)
}

// IsZero reports that the usage says nothing. Some providers send four zeros for what they
// don't know.
func (u Usage) IsZero() bool {
	return u.Size() == 0
}

// Prompt is the context before the answer.
func (u Usage) Prompt() int {
	return add(add(add(0, u.Input), u.CacheRead), u.CacheWrite)
}

// add sums two counts without overflow. A negative count adds nothing.
func add(sum, n int) int {
	n = max(n, 0)
	if sum > math.MaxInt-n {
		return math.MaxInt
	}
	return sum + n
}
