package tools

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestHiderAgainstTheWhole: however a text is cut into pieces, what is told is the text without its keys, and no key.
func TestHiderAgainstTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.StringMatching(`[ab]{2,5}`), 1, 3).Draw(t, "keys")
		pieces := rapid.SliceOf(rapid.StringMatching(`[abc]{0,4}`)).Draw(t, "pieces")
		var told strings.Builder
		h := &hider{keys: keys, out: func(text string) { told.WriteString(text) }}
		for _, piece := range pieces {
			h.write(piece)
		}
		h.end()
		for _, key := range keys {
			if strings.Contains(strings.ReplaceAll(told.String(), removed, "|"), key) {
				t.Fatalf("%q: the key %q is in %q", pieces, key, told.String())
			}
		}
		if len(keys) == 1 && told.String() != hide(strings.Join(pieces, ""), keys) {
			t.Fatalf("%q: %q", pieces, told.String())
		}
	})
}
