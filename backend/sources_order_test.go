package backend

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/drawn"
	"palimpsest/backend/sources/pi"
)

// TestInContextWhateverTheOrder: of a file of pi's, whatever order its lines are in, search finds as what the model still sees exactly what
// the context holds.
func TestInContextWhateverTheOrder(t *testing.T) {
	drawn.Few(t, func(rt *rapid.T) {
		home := t.TempDir()
		n := rapid.IntRange(1, 9).Draw(rt, "entries")
		lines, words := make([]string, n), make([]string, n)
		for i := range n {
			parent := "null"
			if up := rapid.IntRange(-1, i-1).Draw(rt, "parent"); up >= 0 {
				parent = fmt.Sprintf(`"e%d"`, up)
			}
			words[i] = fmt.Sprintf("word%dend", i)
			more := rapid.SampledFrom([]string{
				`"type":"message","message":{"role":"user","content":"%s"}`,
				`"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"%s"}],"provider":"p","model":"m","stopReason":"stop"}`,
				`"type":"custom_message","customType":"x","display":true,"content":"%s"`,
				`"type":"branch_summary","fromId":"e0","summary":"%s"`,
				`"type":"compaction","summary":"%s","tokensBefore":5,"firstKeptEntryId":"e` + fmt.Sprint(rapid.IntRange(0, n-1).Draw(rt, "kept")) + `"`,
			}).Draw(rt, "entry")
			lines[i] = fmt.Sprintf(`{"id":"e%d","parentId":%s,"timestamp":"2026-01-02T10:00:%02d.000Z",`+more+"}\n", i, parent, i, words[i])
		}
		lines = rapid.Permutation(lines).Draw(rt, "order")
		writePi(t, home, piHead+strings.Join(lines, ""))
		b := scanOf(t, home, t.TempDir(), pi.Source{})
		newsMust(t, b.Scan(t.Context(), false, nil))
		list, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		if len(list) != 1 {
			rt.Fatalf("%d sessions", len(list))
		}
		seen := strings.Join(viewOf(t, b, list[0].ID), "\n")
		for _, word := range words {
			sees := strings.Contains(seen, word)
			in := len(look(t, b, word+" in:context").Hits) == 1
			if in != sees {
				rt.Fatalf("%s: search says %v; the model sees\n%s\nof\n%s", word, in, seen, strings.Join(lines, ""))
			}
		}
		b.Close()
	})
}
