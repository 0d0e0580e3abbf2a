package llm

import "palimpsest/backend/record"

// Prices are what a model costs, in US dollars per million tokens.
type Prices struct {
	Input, Output, CacheRead, CacheWrite float64
}

// Cost is what a request cost, in US dollars; nil where nobody knows the prices or the usage. What was read from a cache is
// not part of [record.Usage.Input].
func (p *Prices) Cost(u *record.Usage) *float64 {
	if p == nil || u == nil {
		return nil
	}
	const million = 1e6
	cost := (float64(u.Input)*p.Input + float64(u.Output)*p.Output +
		float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite) / million
	return &cost
}
