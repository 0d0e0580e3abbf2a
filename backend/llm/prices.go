package llm

import (
	"math"
	"strconv"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// Prices are what a model costs, in US dollars per million tokens.
type Prices struct {
	Input, Output, CacheRead, CacheWrite float64
}

const million = 1e6

// Cost is what a request cost, in US dollars; nil where nobody knows the prices or the usage. What was read from a cache is
// not part of [record.Usage.Input].
func (p *Prices) Cost(u *record.Usage) *float64 {
	if p == nil || u == nil {
		return nil
	}
	cost := (float64(u.Input)*p.Input + float64(u.Output)*p.Output +
		float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite) / million
	return &cost
}

// Price is a price as it can be shown: without the noise of floating point. False for what is none.
func Price(dollars float64) (float64, bool) {
	const most = 1e6 // dollars for a million tokens; more is nonsense
	if !(dollars >= 0 && dollars <= most) {
		return 0, false
	}
	return math.Round(dollars*million) / million, true
}

// pricesIn reads what OpenRouter and those who follow it say: dollars for one token, as text. Zero is free there, and a
// negative price one that depends. What a cache costs is that of the input where nothing is said.
func pricesIn(pricing gjson.Result) *Prices {
	var p Prices
	for _, f := range []struct {
		name     string
		into     *float64
		optional bool
	}{
		{"prompt", &p.Input, false},
		{"completion", &p.Output, false},
		{"input_cache_read", &p.CacheRead, true},
		{"input_cache_write", &p.CacheWrite, true},
	} {
		perToken, err := strconv.ParseFloat(str(pricing.Get(f.name)), 64)
		price, ok := Price(perToken * million)
		switch {
		case err == nil && ok:
			*f.into = price
		case f.optional:
			*f.into = p.Input
		default:
			return nil
		}
	}
	return &p
}
