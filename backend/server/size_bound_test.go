//go:build !race

package server

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend"
	"palimpsest/backend/drawn"
)

func TestPageSizeBound(t *testing.T) {
	b, err := backend.Open(backend.Options{Home: t.TempDir()})
	must(t, err)
	api := New(b, nil, nil).Handler()
	for name, texts := range map[string][]string{
		"less than":       repeat(quoted(strings.Repeat("<", 10_000)), 120),
		"ampersands":      repeat(quoted(strings.Repeat("&>", 300_000)), 3),
		"quotes":          repeat(quoted(strings.Repeat(`"`, 10_000)), 70),
		"controls":        repeat(quoted(strings.Repeat("\x01", 10_000)), 25),
		"separators":      repeat(quoted(strings.Repeat("\u2028", 10_000)), 50),
		"wide":            repeat(quoted(strings.Repeat("漢🙂", 10_000)), 20),
		"escaped":         repeat(`"`+strings.Repeat(`\u6f22`, 30_000)+`"`, 8),
		"small":           repeat(quoted("x"), 1200),
		"long and quotes": {quoted(strings.Repeat(`"`, 1<<20)), quoted("x")},
		"long controls":   {quoted("x"), quoted(strings.Repeat("\x02", 1<<19))},
		"20 MB":           {quoted("x"), quoted(strings.Repeat("<z ", 20<<20/3)), quoted("y")}, // longer than what is resolved
		"about the limit": around(),
	} {
		t.Run(name, func(t *testing.T) {
			lines := make([]string, len(texts))
			for i, text := range texts {
				lines[i] = lineOf(i+1, text)
			}
			id := logged(t, b, lines)
			if n := readAll(t, api, id, "all", 500); n != len(lines) {
				t.Errorf("%d records of %d", n, len(lines))
			}
			must(t, b.Trash(t.Context(), id))
			must(t, b.Purge(id))
		})
	}
}

func repeat(text string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = text
	}
	return out
}

// around are records whose lengths lie on either side of what a page has room for.
func around() []string {
	var out []string
	for _, edge := range []int{backend.PageBytes, backend.PageBytes - 32<<10} {
		for _, more := range []int{-600, -550, -400, -1, 200} {
			out = append(out, quoted(strings.Repeat("x", edge+more)))
		}
	}
	return out
}

func TestPageSizeBoundHolds(t *testing.T) {
	b, err := backend.Open(backend.Options{Home: t.TempDir()})
	must(t, err)
	api := New(b, nil, nil).Handler()
	text := rapid.Custom(func(t *rapid.T) string {
		unit := rapid.SampledFrom([]string{"x", "<", "&", `"`, `\`, "\x00", "\x1f", "\u2028", "é", "漢", "🙂", "</script>"}).Draw(t, "unit")
		longest := rapid.SampledFrom([]int{3, 30, 300, 3000, 30_000, 100_000}).Draw(t, "scale")
		return quoted(strings.Repeat(unit, rapid.IntRange(0, longest).Draw(t, "times")))
	})
	drawn.Few(t, func(t *rapid.T) {
		var lines []string
		seq := 0
		for range rapid.IntRange(1, 5).Draw(t, "runs") {
			seq += rapid.SampledFrom([]int{1, 1, 1, 5, -2}).Draw(t, "step") // gaps and disorder
			body := text.Draw(t, "text")
			copies := 1
			if len(body) < 1000 {
				copies = rapid.SampledFrom([]int{1, 1, 300}).Draw(t, "copies")
			}
			for range copies {
				seq++
				lines = append(lines, lineOf(max(seq, 1), body))
			}
			switch rapid.IntRange(0, 9).Draw(t, "else") {
			case 0:
				lines = append(lines, "damaged "+body)
			case 1:
				lines = append(lines, fmt.Sprintf(`{"recordType":"future%s","schemaVersion":9,"seq":%d}`, strings.Repeat("x", len(body)%100), max(seq, 1)))
			}
		}
		id := logged(t, b, lines)
		limit := rapid.SampledFrom([]int{0, 37, 500}).Draw(t, "limit")
		readAll(t, api, id, "all", limit)
		readAll(t, api, id, "model", limit)
		if err := errors.Join(b.Trash(t.Context(), id), b.Purge(id)); err != nil {
			t.Fatal(err)
		}
	})
}
