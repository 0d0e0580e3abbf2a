package tools

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestMiddle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(rapid.StringN(1, 60, -1).Draw(t, "line")+"\n", rapid.IntRange(1, 80).Draw(t, "times"))
		text = valid(text)
		budget := rapid.IntRange(budgetLeast, 3000).Draw(t, "budget")
		got := middle(text, budget)
		if len(got) > budget || !utf8.ValidString(got) {
			t.Fatalf("%d bytes of %d, valid %v", len(got), budget, utf8.ValidString(got))
		}
		if len(text) <= budget {
			if got != text {
				t.Fatal("cut without need")
			}
			return
		}
		head, rest, _ := strings.Cut(got, "\n[… ")
		_, tail, _ := strings.Cut(rest, " …]\n")
		if !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) {
			t.Fatal("head or tail is not the text's")
		}
	})
}

func TestMiddleCutsBetweenLines(t *testing.T) {
	got := middle(strings.Repeat("0123456789\n", 1000), 600)
	notes := 0
	for line := range strings.Lines(got) {
		if strings.HasPrefix(line, "[… ") {
			notes++
		} else if line != "0123456789\n" {
			t.Errorf("a line is cut: %q", line)
		}
	}
	if notes != 1 {
		t.Errorf("%s", got)
	}
}

func TestCaptureStreamsWholeCharacters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 200, -1).Draw(t, "text")
		var streamed strings.Builder
		c := &capture{stream: func(piece string) {
			if piece == "" || !utf8.ValidString(piece) {
				t.Fatalf("piece %q", piece)
			}
			streamed.WriteString(piece)
		}, flooded: func() {}}
		for rest := []byte(text); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			_, _ = c.Write(rest[:n])
			rest = rest[n:]
		}
		if streamed.String() != valid(text) || c.text() != text {
			t.Fatalf("%q is streamed as %q and held as %q", text, streamed.String(), c.text())
		}
	})
}

func TestCaptureIsBounded(t *testing.T) {
	floods := 0
	c := &capture{flooded: func() { floods++ }}
	piece := []byte(strings.Repeat("y\n", 32<<10))
	for range 2000 {
		_, _ = c.Write(piece)
	}
	if floods != 1 || cap(c.head)+cap(c.tail) > 6*captureHalf {
		t.Errorf("%d floods, %d bytes held", floods, cap(c.head)+cap(c.tail))
	}
	if text := c.text(); len(text) > 2*captureHalf+100 || !strings.Contains(text, "bytes were not held") {
		t.Errorf("%d bytes", len(text))
	}
}
