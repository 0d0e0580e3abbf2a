package export

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestInPiecesAsAtOnce: whatever stands where a piece ends, also what is no letter, a text is written as it would be at once.
func TestInPiecesAsAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		around := rapid.SliceOfN(rapid.SampledFrom([]string{"a", `"`, `\`, "\n", "ä", "漢", "\U0001F600", "\x80", "\xf0", "\xe6\xbc", "\u2028", "<"}), 0, 9).Draw(t, "around")
		before := strings.Repeat("x", textPiece-rapid.IntRange(0, 9).Draw(t, "before"))
		text := before + strings.Join(around, "")
		value := object{"b": text, "a": []any{text[len(before):], nil, 1.5, object{}}, "c": json.RawMessage(`{"d": "<"}`)}
		var want, got bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(value); err != nil {
			t.Fatal(err)
		}
		w := writer{out: &got}
		if w.line(value); w.err != nil || got.String() != want.String() {
			t.Fatalf("%v\n%.300q", w.err, around)
		}
	})
}
