package ahead

import (
	"io"
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for text, want := range map[string]int64{"": 0, "\n": 1, "ab\ncd\n": 3, long + "\nmore": 200_001, long: 200_000} {
		r := strings.NewReader("--" + text)
		if _, err := r.Seek(2, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if got := Line(r); got != want {
			t.Errorf("%d bytes: %d, not %d", len(text), got, want)
		}
		if rest, err := io.ReadAll(r); err != nil || string(rest) != text {
			t.Errorf("%d bytes: what is read then is not what was there: %d, %v", len(text), len(rest), err)
		}
	}
	if got := Line(io.MultiReader(strings.NewReader("ab\n"))); got != 0 {
		t.Errorf("of a reader that can't go back: %d", got)
	}
}
