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
		{"defaults", 0, 16384, 20000, Budget{128_000, 16384, 20000, false}},
		{"negative window", -1, 16384, 20000, Budget{128_000, 16384, 20000, false}},
		{"large window", 1_000_000, 16384, 20000, Budget{1_000_000, 16384, 20000, false}},
		{"keep clamped", 40_000, 16384, 20000, Budget{40_000, 16384, 11808, true}},
		{"both clamped", 8192, 16384, 20000, Budget{8192, 4096, 2048, true}},
		{"exactly half", 32768, 16384, 8192, Budget{32768, 16384, 8192, false}},
		{"zero is allowed", 8192, 0, 0, Budget{8192, 0, 0, false}},
		{"negative", 8192, -1, -1, Budget{8192, 0, 0, true}},
		{"smallest window", 1, 1, 1, Budget{1, 0, 0, true}},
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
