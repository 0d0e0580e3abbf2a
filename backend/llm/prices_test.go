package llm

import (
	"math"
	"testing"

	"palimpsest/backend/record"
)

func TestCost(t *testing.T) {
	p := &Prices{Input: 3, Output: 15, CacheRead: 0.3, CacheWrite: 3.75}
	used := &record.Usage{Input: 1000, Output: 200, CacheRead: 50_000, CacheWrite: 400}
	if got := p.Cost(used); got == nil || math.Abs(*got-0.0225) > 1e-12 {
		t.Errorf("%v", got)
	}
	if got := (&Prices{}).Cost(used); got == nil || *got != 0 {
		t.Errorf("a model that costs nothing: %v", got)
	}
	if (*Prices)(nil).Cost(used) != nil || p.Cost(nil) != nil {
		t.Error("what nobody knows is no number")
	}
}
