package cli

import (
	"testing"

	"pgregory.net/rapid"
)

func TestWhatIsCutFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		columns := rapid.IntRange(1, 20).Draw(t, "columns")
		short := cut(oneLine(text), columns)
		if columnsOf(short) > columns {
			t.Fatalf("%q is wider than %d", short, columns)
		}
	})
}

func columnsOf(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOfRune(r)
	}
	return n
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		in      string
		columns int
		want    string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"漢字漢字", 5, "漢字…"}, {"漢字漢字", 4, "漢…"}, {"e\u0301e\u0301", 2, "e\u0301e\u0301"}, {"", 1, ""},
	} {
		if got := cut(tt.in, tt.columns); got != tt.want {
			t.Errorf("%q in %d columns is %q, not %q", tt.in, tt.columns, got, tt.want)
		}
	}
}
