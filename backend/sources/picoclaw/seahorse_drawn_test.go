//go:build !race

package picoclaw

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestAsSeahorseAssemblesIt: whatever was saved in one place alone, taken out, summarized and condensed. What was said is shown once if it
// can be.
func TestAsSeahorseAssemblesIt(t *testing.T) {
	e := newEngine(t)
	rapid.Check(t, func(rt *rapid.T) {
		e.begin()
		for i := range rapid.IntRange(1, 14).Draw(rt, "steps") {
			items := e.items()
			text := rapid.SampledFrom([]string{"ok", fmt.Sprint("m", i), fmt.Sprint("'n", i)}).Draw(rt, "text")
			switch from, to, is := run(rt, items); rapid.IntRange(0, 8).Draw(rt, "step") {
			case 0:
				e.ingest("user", text)
			case 1:
				e.save(map[string]any{"role": "user", "content": text})
			case 2:
				if len(items) > 0 {
					e.do("DELETE FROM context_items WHERE conversation_id = 7 AND ordinal = ?", items[rapid.IntRange(0, len(items)-1).Draw(rt, "gone")].ordinal)
				}
			case 3, 4, 5:
				if is {
					e.summarize(from, to, text, rapid.IntRange(0, 3).Draw(rt, "behind") == 0)
				}
			default:
				e.say("user", text)
			}
		}
		r := e.reading()
		if got, want := view(t, r), e.assembled(); r.Err != nil || r.Damaged > 0 || !slices.Equal(got, want) {
			rt.Fatalf("%v\n%q\ngot  %q\nwant %q\n%s", r.Err, e.lines, got, want, r.Story())
		}
		said := e.said()
		if got, want := strings.Count(r.Story(), " message user"), len(e.lines)+len(said)-common(e.lines, said); got != want {
			rt.Fatalf("%d messages, not %d\n%q\n%q\n%s", got, want, e.lines, said, r.Story())
		}
	})
}

// run is a part of a context with nothing but messages, or nothing but summaries.
func run(rt *rapid.T, items []item) (from, to int, is bool) {
	if len(items) == 0 {
		return 0, 0, false
	}
	from = rapid.IntRange(0, len(items)-1).Draw(rt, "from")
	to = from + 1
	for to < len(items) && (items[to].summary == "") == (items[from].summary == "") && rapid.Bool().Draw(rt, "longer") {
		to++
	}
	return from, to, true
}
