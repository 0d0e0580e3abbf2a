package sources

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// Counters are the members of an object in which an agent tells what a request took, by what they tell; of several for one kind any does.
// Kinds without a member are never told.
type Counters struct{ Input, Output, CacheRead, CacheWrite []string }

// Untold are the kinds of tokens that none of the members tells of.
func (c *Counters) Untold(object gjson.Result) (untold record.Kinds) {
	for _, one := range [...]struct {
		kind    record.Kinds
		members []string
	}{
		{record.InputTokens, c.Input}, {record.OutputTokens, c.Output}, {record.CacheReadTokens, c.CacheRead}, {record.CacheWriteTokens, c.CacheWrite},
	} {
		told := false
		for _, member := range one.members {
			told = told || object.Get(member).Type == gjson.Number
		}
		if !told {
			untold |= one.kind
		}
	}
	return untold
}

// usage writes what is known of one.
func (a *appender) usage(name string, u *record.Usage) {
	if u == nil {
		return
	}
	a.name(name)
	a.out = append(a.out, '{')
	for _, n := range [...]struct {
		kind   record.Kinds
		name   string
		tokens int
	}{
		{record.InputTokens, "input", u.Input},
		{record.OutputTokens, "output", u.Output},
		{record.CacheReadTokens, "cacheRead", u.CacheRead},
		{record.CacheWriteTokens, "cacheWrite", u.CacheWrite},
	} {
		if u.Untold&n.kind == 0 {
			a.whole(n.name, int64(n.tokens))
		}
	}
	if u.Cost != nil {
		a.name("cost")
		a.float(*u.Cost)
	}
	a.out = append(a.out, '}')
}
