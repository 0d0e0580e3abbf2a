package sources

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// Counters are the members of an object in which an agent tells what a request took, by what they tell; of several for one kind any does.
// Kinds without a member are never told.
type Counters struct{ Input, Output, CacheRead, CacheWrite []string }

// object is what finds members by their names, as [gjson.Result] does.
type object interface {
	Get(path string) gjson.Result
}

// Untold are the kinds of tokens that none of the members tells of.
func (c *Counters) Untold(from object) (untold record.Kinds) {
	for _, one := range [...]struct {
		kind    record.Kinds
		members []string
	}{
		{record.InputTokens, c.Input}, {record.OutputTokens, c.Output}, {record.CacheReadTokens, c.CacheRead}, {record.CacheWriteTokens, c.CacheWrite},
	} {
		told := false
		for _, member := range one.members {
			told = told || from.Get(member).Type == gjson.Number
		}
		if !told {
			untold |= one.kind
		}
	}
	return untold
}

// tokensMost is more than any request has had tokens.
const tokensMost = 1_000_000_000

// Plausible is a usage, or nil for one that no request can have had: damaged files have told of such.
func Plausible(u *record.Usage) *record.Usage {
	if u == nil || min(u.Input, u.Output, u.CacheRead, u.CacheWrite) < 0 || max(u.Input, u.Output, u.CacheRead, u.CacheWrite) > tokensMost {
		return nil
	}
	return u
}
