package record

import (
	"encoding/json"
	"slices"
)

// Kinds are kinds of tokens.
type Kinds uint8

// The kinds that a usage has numbers of.
const (
	InputTokens Kinds = 1 << iota
	OutputTokens
	CacheReadTokens
	CacheWriteTokens
	AllTokens = InputTokens | OutputTokens | CacheReadTokens | CacheWriteTokens
)

// kindNames are the kinds in order, by the members that tell them.
var kindNames = [...]string{"input", "output", "cacheRead", "cacheWrite"}

// Names are those of the members that tell the kinds.
func (k Kinds) Names() (names []string) {
	for i, name := range kindNames {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// KindNamed is the kind that a member tells, 0 for none.
func KindNamed(name string) Kinds {
	if i := slices.Index(kindNames[:], name); i >= 0 {
		return 1 << i
	}
	return 0
}

// Usage is the size of a request and its answer in tokens, as the provider reported it. Input does not include
// cached tokens.
type Usage struct {
	Input      int
	Output     int
	CacheRead  int
	CacheWrite int
	// Untold are the kinds that nothing was said of: their numbers are 0, and not known.
	Untold Kinds
	// Cost is in US dollars, at the prices of the day it was recorded; nil where nobody knew them.
	Cost *float64
}

// MarshalJSON leaves out what is not known.
func (u Usage) MarshalJSON() ([]byte, error) {
	told := func(kind Kinds, n *int) *int {
		if u.Untold&kind != 0 {
			return nil
		}
		return n
	}
	return json.Marshal(struct { //nolint:wrapcheck // numbers always can be encoded, but for a cost that is none
		Input      *int     `json:"input,omitempty"`
		Output     *int     `json:"output,omitempty"`
		CacheRead  *int     `json:"cacheRead,omitempty"`
		CacheWrite *int     `json:"cacheWrite,omitempty"`
		Cost       *float64 `json:"cost,omitempty"`
	}{
		told(InputTokens, &u.Input), told(OutputTokens, &u.Output), told(CacheReadTokens, &u.CacheRead), told(CacheWriteTokens, &u.CacheWrite), u.Cost,
	})
}

// AsTold is the usage without numbers that nobody told.
func (u *Usage) AsTold() Usage {
	told := *u
	for i, n := range [...]*int{&told.Input, &told.Output, &told.CacheRead, &told.CacheWrite} {
		if u.Untold&(1<<i) != 0 {
			*n = 0
		}
	}
	return told
}

// IsZero tells that nothing was used, or nobody counted.
func (u *Usage) IsZero() bool {
	return u.Input == 0 && u.Output == 0 && u.CacheRead == 0 && u.CacheWrite == 0
}

// Plus is what two requests took together; one that is nil took nothing that is known. What they cost is known only if it is
// of both: a part of it would look like all.
func (u *Usage) Plus(v *Usage) *Usage {
	if u == nil {
		return v
	}
	if v == nil {
		return u
	}
	sum := &Usage{
		Input: u.Input + v.Input, Output: u.Output + v.Output,
		CacheRead: u.CacheRead + v.CacheRead, CacheWrite: u.CacheWrite + v.CacheWrite, Untold: u.Untold & v.Untold,
	}
	if u.Cost != nil && v.Cost != nil {
		cost := *u.Cost + *v.Cost
		sum.Cost = &cost
	}
	return sum
}
