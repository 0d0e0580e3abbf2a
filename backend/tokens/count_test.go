package tokens

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestUsage(t *testing.T) {
	tests := []struct {
		name   string
		usage  Usage
		size   int
		isZero bool
	}{
		{"nothing", Usage{}, 0, true},
		{"all four", Usage{Input: 1, Output: 2, CacheRead: 4, CacheWrite: 8}, 15, false},
		{"negative parts count nothing", Usage{Input: -5, Output: 3}, 3, false},
		{"only negative", Usage{Input: -5}, 0, true},
		{"saturates", Usage{Input: math.MaxInt, Output: 1, CacheRead: math.MaxInt}, math.MaxInt, false},
		{"smallest", Usage{math.MinInt, math.MinInt, math.MinInt, math.MinInt}, 0, true},
	}
	for _, tt := range tests {
		if got := tt.usage.Size(); got != tt.size {
			t.Errorf("%s: Size = %d, want %d", tt.name, got, tt.size)
		}
		if got := tt.usage.IsZero(); got != tt.isZero {
			t.Errorf("%s: IsZero = %v", tt.name, got)
		}
	}
}

func TestUsageJSON(t *testing.T) {
	const line = `{"input":1,"output":2,"cacheRead":3,"cacheWrite":4}`
	var u Usage
	if err := json.Unmarshal([]byte(line), &u); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Usage{1, 2, 3, 4}, u); diff != "" {
		t.Error(diff)
	}
	if out, err := json.Marshal(u); err != nil || string(out) != line {
		t.Errorf("written as %s, %v", out, err)
	}
}

func TestAnchored(t *testing.T) {
	user := func(n int) Item { return Item{Estimate: n} }
	answer := func(n int) Item {
		return Item{Estimate: 7, Assistant: true, Usage: &Usage{Input: n - 10, Output: 10}}
	}
	silent := Item{Estimate: 7, Assistant: true}
	zero := Item{Estimate: 7, Assistant: true, Usage: &Usage{}}
	aborted := answer(900)
	aborted.Discount = true
	overlay := Item{Breaks: true}

	tests := []struct {
		name string
		path []Item
		want int
		ok   bool
	}{
		{"empty", nil, 0, false},
		{"no answer yet", []Item{user(5)}, 0, false},
		{"answer last", []Item{user(5), answer(100)}, 100, true},
		{"answer and tail", []Item{user(5), answer(100), user(3), user(4)}, 107, true},
		{"the last answer counts", []Item{user(5), answer(100), user(3), answer(200), user(1)}, 201, true},
		{"overlay after it", []Item{user(5), answer(100), overlay, user(3)}, 0, false},
		{"overlay before it", []Item{user(5), overlay, answer(100), user(3)}, 103, true},
		{"aborted", []Item{user(5), aborted, user(3)}, 0, false},
		{"aborted after a good one", []Item{answer(100), user(5), aborted}, 0, false},
		{"all zero", []Item{answer(100), user(5), zero}, 0, false},
		{"no usage", []Item{answer(100), user(5), silent}, 0, false},
		{"negative estimates count nothing", []Item{answer(100), user(-50)}, 100, true},
		{"saturates", []Item{answer(math.MaxInt), user(math.MaxInt)}, math.MaxInt, true},
	}
	for _, tt := range tests {
		got, ok := Anchored(tt.path)
		if got != tt.want || ok != tt.ok {
			t.Errorf("%s: got %d, %v; want %d, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

func TestCalibrate(t *testing.T) {
	point := func(estimate, reported int) Point {
		return Point{Estimate: estimate, Usage: Usage{Input: reported}}
	}
	aborted := point(1000, 1500)
	aborted.Discount = true
	older := make([]Point, 20)
	for i := range older {
		older[i] = point(1000, 900)
	}
	newer := make([]Point, PointsUsed)
	for i := range newer {
		newer[i] = point(1000, 1400)
	}

	tests := []struct {
		name   string
		points []Point
		want   float64
	}{
		{"nothing known", nil, 1},
		{"one point", []Point{point(1000, 1250)}, 1.25},
		{"cached input is input", []Point{{Estimate: 1000, Usage: Usage{Input: 100, CacheRead: 900, CacheWrite: 250}}}, 1.25},
		{"output is not", []Point{{Estimate: 1000, Usage: Usage{Input: 1250, Output: 9000}}}, 1.25},
		{"only output", []Point{{Estimate: 1000, Usage: Usage{Output: 900}}}, 1},
		{"aborted", []Point{aborted}, 1},
		{"no usage", []Point{point(1000, 0)}, 1},
		{"no estimate", []Point{point(0, 1000), point(-5, 1000)}, 1},
		{"bounded above", []Point{point(10, 9000)}, MaxFactor},
		{"bounded below", []Point{point(1000, 10)}, MinFactor},
		{"one absurd report", []Point{point(1000, 1100), point(1100, 990_000_000), point(1200, 1320)}, 1.1},
		{"a long context outweighs short ones", []Point{point(20, 5000), point(300, 5300), point(50_000, 55_000)}, 1.1},
		{"the higher of two equals", []Point{point(1000, 1000), point(1000, 1200)}, 1.2},
		{"the newest count", append(older, newer...), 1.4},
	}
	for _, tt := range tests {
		if got := Calibrate(tt.points); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: factor %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestScale(t *testing.T) {
	tests := []struct {
		estimate int
		factor   float64
		want     int
	}{
		{0, 1.6, 0},
		{100, 1, 100},
		{100, 1.1, 110},
		{21020, 1.0514, 22100},
		{-3, 1.2, 0},
		{math.MaxInt, 1, math.MaxInt},
		{math.MaxInt, 1.6, math.MaxInt},
		{100, 50, 160},
		{100, -1, 80},
		{100, math.NaN(), 100},
		{100, math.Inf(1), 160},
	}
	for _, tt := range tests {
		if got := Scale(tt.estimate, tt.factor); got != tt.want {
			t.Errorf("Scale(%d, %v) = %d, want %d", tt.estimate, tt.factor, got, tt.want)
		}
	}
}

// Whatever a provider reports, the factor stays in its bounds and no count turns negative.
func TestHostileUsage(t *testing.T) {
	anyInt := rapid.OneOf(rapid.Int(), rapid.IntRange(-10, 1_000_000), rapid.Just(math.MaxInt), rapid.Just(math.MinInt))
	usage := rapid.Custom(func(t *rapid.T) Usage {
		return Usage{anyInt.Draw(t, "in"), anyInt.Draw(t, "out"), anyInt.Draw(t, "read"), anyInt.Draw(t, "write")}
	})
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Point {
			return Point{anyInt.Draw(t, "estimate"), usage.Draw(t, "usage"), rapid.Bool().Draw(t, "discount")}
		})).Draw(t, "points")
		factor := Calibrate(points)
		if !(factor >= MinFactor && factor <= MaxFactor) {
			t.Errorf("factor %v", factor)
		}
		small, large := anyInt.Draw(t, "x"), anyInt.Draw(t, "y")
		small, large = min(small, large), max(small, large)
		if a, b := Scale(small, factor), Scale(large, factor); a < 0 || a > b {
			t.Errorf("Scale(%d) = %d, Scale(%d) = %d", small, a, large, b)
		}
		u := usage.Draw(t, "anchor")
		path := []Item{{Assistant: true, Usage: &u}, {Estimate: anyInt.Draw(t, "after")}}
		if got, ok := Anchored(path); got < 0 || ok == u.IsZero() {
			t.Errorf("Anchored = %d, %v for %+v", got, ok, u)
		}
	})
}
