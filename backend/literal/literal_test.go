package literal

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestIndex(t *testing.T) {
	for _, test := range []struct {
		name, needle, text string
		matchCase          bool
		start, end         int
	}{
		{"plain", "deploy", "the deploy failed", false, 4, 10},
		{"other case", "DEPLOY", "the Deploy failed", false, 4, 10},
		{"case matters", "Deploy", "deploy Deploy", true, 7, 13},
		{"signs mean themselves", "f(x)[0].*", "y = f(x)[0].*", false, 4, 13},
		{"in a word", "iro", "Miroel", false, 1, 4},
		{"two characters of Chinese", "压缩", "手动压缩会话", false, 6, 12},
		{"case outside ASCII", "ÄRGER", "viel ärger", false, 5, 11},
		{"not there", "x", "deploy", false, -1, -1},
		{"longer than the text", "deployment", "deploy", false, -1, -1},
		{"at the end", "oy", "deploy", false, 4, 6},
		{"more than one line", "a\nb", "xa\nby", false, 1, 4},
		{"quotes", `say "hi"`, `we say "hi" now`, false, 3, 11},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := New(test.needle, test.matchCase)
			if start, end := n.Index(test.text, 0); start != test.start || end != test.end {
				t.Errorf("found %d–%d, not %d–%d", start, end, test.start, test.end)
			}
		})
	}
}

// Whatever is found in a text may be in every line of JSON that holds it, however that was written; and what is found is
// what an expression finds.
func TestAgainstExpression(t *testing.T) {
	letters := rapid.StringOf(rapid.SampledFrom([]rune(`aAbBzZ09 .-_"\/<>&'äÄß压缩😀` + "\n\t\u0085\uFFFD")))
	rapid.Check(t, func(t *rapid.T) {
		needle := rapid.Custom(func(t *rapid.T) string { return letters.Draw(t, "needle") }).Filter(func(s string) bool { return s != "" }).Draw(t, "needle")
		text := letters.Draw(t, "before") + rapid.SampledFrom([]string{needle, strings.ToUpper(needle), ""}).Draw(t, "inside") + letters.Draw(t, "after")
		matchCase := rapid.Bool().Draw(t, "case")
		n := New(needle, matchCase)
		flags := "(?i)"
		if matchCase {
			flags = ""
		}
		want := []int{-1, -1}
		if at := regexp.MustCompile(flags + regexp.QuoteMeta(needle)).FindStringIndex(text); at != nil {
			want = at
		}
		start, end := n.Index(text, 0)
		if start != want[0] || end != want[1] {
			t.Fatalf("%q in %q: found %d–%d, not %v", needle, text, start, end, want)
		}
		if start < 0 {
			return
		}
		for _, line := range written(t, text) {
			if !n.MayBeIn(line) {
				t.Fatalf("%q is in %q, but said not to be in %s", needle, text, line)
			}
		}
	})
}

// written is text as different JSON writers write it.
func written(t *rapid.T, text string) [][]byte {
	html, err := json.Marshal([]string{text})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range string(html) {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16(r) {
			b.WriteString(`\u` + unit)
		}
	}
	var plain strings.Builder
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	if err := enc.Encode([]string{text}); err != nil {
		t.Fatal(err)
	}
	return [][]byte{html, []byte(b.String()), []byte(plain.String())}
}

func utf16(r rune) []string {
	const digits = "0123456789abcdef"
	hex := func(u rune) string {
		return string([]byte{digits[u>>12&15], digits[u>>8&15], digits[u>>4&15], digits[u&15]})
	}
	if r < 0x10000 {
		return []string{hex(r)}
	}
	r -= 0x10000
	return []string{hex(0xD800 + r>>10), hex(0xDC00 + r&0x3FF)}
}
