package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// blockOf is a text block as a line of a log has it.
func blockOf(t *testing.T, text, blob string, whole any) Block {
	t.Helper()
	content, err := json.Marshal([]any{map[string]any{"type": "text", "text": text, "blob": blob, "bytes": whole}})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := Decode(fmt.Appendf(nil, `{"recordType":"message","schemaVersion":1,"seq":1,"role":"user","content":%s}`, content))
	if err != nil {
		t.Fatal(err)
	}
	return rec.Message.Content[0]
}

// TestWhole: of what was cut the whole is told, and found again, whatever stands in it.
func TestWhole(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "é", "漢", "🎉", "\n[… 7 bytes …]\n", "\n", "\x00", "word "})
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 20, 60).Draw(r, "text"), "")
		b := blockOf(t, HeadAndTail(text, rapid.IntRange(4, 9).Draw(r, "end")), "cafe", len(text))
		if b.Whole != int64(len(text)) || b.Uncut(text) != text {
			r.Fatalf("%q: %d, %q", b.Text, b.Whole, b.Uncut(text))
		}
		if got := b.Uncut("\xff" + text[1:]); got != b.Text {
			r.Fatalf("another text is taken for the whole of %q: %q", b.Text, got)
		}
	})
}

// TestNotWhole: what an agent or a tool shows in short is all that the model has seen, and what does not add up is what it is.
func TestNotWhole(t *testing.T) {
	text := strings.Repeat("0123456789", 10)
	cut := HeadAndTail(text, 10)
	for name, b := range map[string]Block{
		"as tools leave out":  blockOf(t, "head\n[… 90 bytes in 3 lines left out …]\ntail", "cafe", 100),
		"another size":        blockOf(t, cut, "cafe", 99),
		"no size":             blockOf(t, cut, "cafe", nil),
		"a size that is none": blockOf(t, cut, "cafe", "100"),
		"nothing kept":        blockOf(t, cut, "", 100),
		"nothing but the cut": blockOf(t, "\n[… 100 bytes …]\n", "cafe", 100),
		"beyond belief":       blockOf(t, strings.Replace(cut, " 80 ", fmt.Sprintf(" %d ", 1<<41), 1), "cafe", 1<<41+20),
		"no cut":              blockOf(t, text, "cafe", 100),
	} {
		if b.Whole != 0 || b.Uncut(text) != b.Text {
			t.Errorf("%s: %d, %q", name, b.Whole, b.Uncut(text))
		}
	}
}
