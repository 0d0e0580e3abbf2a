package tokens

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNewBudget(t *testing.T) {
	tests := []struct {
		name                  string
		window, reserve, keep int
		want                  Budget
	}{
		{"defaults", 0, 16384, 20000, Budget{Window: 128_000, Assumed: true, Reserve: 16384, KeepRecent: 20000, Clamped: false}},
		{"negative window", -1, 16384, 20000, Budget{Window: 128_000, Assumed: true, Reserve: 16384, KeepRecent: 20000, Clamped: false}},
		{"large window", 1_000_000, 16384, 20000, Budget{Window: 1_000_000, Reserve: 16384, KeepRecent: 20000, Clamped: false}},
		{"keep clamped", 40_000, 16384, 20000, Budget{Window: 40_000, Reserve: 16384, KeepRecent: 11808, Clamped: true}},
		{"both clamped", 8192, 16384, 20000, Budget{Window: 8192, Reserve: 4096, KeepRecent: 2048, Clamped: true}},
		{"exactly half", 32768, 16384, 8192, Budget{Window: 32768, Reserve: 16384, KeepRecent: 8192, Clamped: false}},
		{"zero is allowed", 8192, 0, 0, Budget{Window: 8192, Reserve: 0, KeepRecent: 0, Clamped: false}},
		{"negative", 8192, -1, -1, Budget{Window: 8192, Reserve: 0, KeepRecent: 0, Clamped: true}},
		{"smallest window", 1, 1, 1, Budget{Window: 1, Reserve: 0, KeepRecent: 0, Clamped: true}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, NewBudget(tt.window, tt.reserve, tt.keep)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestBudgetAlwaysFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window, reserve, keep := rapid.Int().Draw(t, "window"), rapid.Int().Draw(t, "reserve"), rapid.Int().Draw(t, "keep")
		b := NewBudget(window, reserve, keep)
		if b.Window <= 0 || b.Reserve < 0 || b.KeepRecent < 0 ||
			b.Reserve > b.Window/2 || b.KeepRecent > (b.Window-b.Reserve)/2 {
			t.Errorf("%+v", b)
		}
		if b.Clamped != (b.Reserve != reserve || b.KeepRecent != keep) {
			t.Errorf("clamping not reported: %+v", b)
		}
	})
}

func TestCapped(t *testing.T) {
	for _, c := range []struct {
		most    int
		ratio   float64
		trigger int
		keep    int
	}{
		{0, 0, 111616, 20000},
		{90000, 0, 90000, 20000},
		{0, 0.75, 96000, 20000},
		{90000, 0.75, 90000, 20000},
		{100000, 0.75, 96000, 20000},
		{500000, 0, 111616, 20000},
		{30000, 0, 30000, 15000},
		{1, 0, 1, 0},
		{0, 1e-9, 1, 0},
	} {
		b := NewBudget(0, 16384, 20000).Capped(c.most, c.ratio)
		if b.Trigger() != c.trigger || b.KeepRecent != c.keep || b.Clamped != (c.keep != 20000) {
			t.Errorf("%d, %v: trigger %d, %+v", c.most, c.ratio, b.Trigger(), b)
		}
	}
}
