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
		if told.String() != hide(strings.Join(pieces, ""), keys) {
			t.Fatalf("%q: %q", pieces, told.String())
		}
	})
}

// TestAKeyThatBeginsWithAnother goes as a whole, wherever the pieces end.
func TestAKeyThatBeginsWithAnother(t *testing.T) {
	const short, long = "sk-0123456789abcdef", "sk-0123456789abcdef-and-more"
	keys := []string{short, long, ""}
	text := "a " + long + " b " + short + " c " + short + "-and-less " + short
	const want = "a " + removed + " b " + removed + " c " + removed + "-and-less " + removed
	if got := hide(text, keys); got != want {
		t.Errorf("%q", got)
	}
	for cut := range text {
		var told strings.Builder
		h := &hider{keys: keys, out: func(text string) { told.WriteString(text) }}
		h.write(text[:cut])
		h.write(text[cut:])
		h.end()
		if told.String() != want {
			t.Errorf("cut at %d: %q", cut, told.String())
		}
	}
}

// BenchmarkHide is 10 MB of output among which there are many beginnings of keys.
func BenchmarkHide(b *testing.B) {
	keys := []string{"sk-0123456789abcdef", "sk-0123456789abcdef-and-more", "key-abcdefghijklmnop1"}
	text := strings.Repeat("sk-01234 some words, kept as they are\n", 10<<20/38)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		hide(text, keys)
	}
}
