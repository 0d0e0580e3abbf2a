package record

// ByKind is a number for each kind of tokens.
type ByKind struct {
	Input      int `json:"input,omitempty"`
	Output     int `json:"output,omitempty"`
	CacheRead  int `json:"cacheRead,omitempty"`
	CacheWrite int `json:"cacheWrite,omitempty"`
}

// each are the numbers, in the order of the kinds.
func (n *ByKind) each() [4]*int { return [...]*int{&n.Input, &n.Output, &n.CacheRead, &n.CacheWrite} }

// Count adds one for each of these kinds.
func (n *ByKind) Count(kinds Kinds) {
	for i, number := range n.each() {
		*number += int(kinds >> i & 1)
	}
}

// Add adds other numbers.
func (n *ByKind) Add(other *ByKind) {
	more := other.each()
	for i, number := range n.each() {
		*number += *more[i]
	}
}

// Above are the kinds of which the number is above another.
func (n *ByKind) Above(least int) (kinds Kinds) {
	for i, number := range n.each() {
		if *number > least {
			kinds |= 1 << i
		}
	}
	return kinds
}

// Below are the kinds of which the number is below another.
func (n *ByKind) Below(most int) (kinds Kinds) {
	for i, number := range n.each() {
		if *number < most {
			kinds |= 1 << i
		}
	}
	return kinds
}
