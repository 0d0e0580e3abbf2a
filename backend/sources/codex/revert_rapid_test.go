package codex

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/sources/sourcetest"
)

// TestAnyReverts: wherever a thread is taken back to, and how often, the model sees what it had seen there and what was said since.
func TestAnyReverts(t *testing.T) {
	const thought = `{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}`
	rapid.Check(t, func(rt *rapid.T) {
		type turn struct {
			at   int // the number of its first line
			seen []string
		}
		var turns []turn
		var seen []string
		env := sourcetest.Env(t, t.TempDir())
		lines, from, files := []string{header(id, "")}, 0, 0
		write := func() {
			path := place
			if files > 0 {
				path = strings.Replace(strings.Replace(place, "01-22-10", fmt.Sprintf("01-30-%02d", files), 1), ".jsonl", fmt.Sprintf("_%02d.jsonl", files), 1)
			}
			sourcetest.Write(t, env.Home, path, envelope(from, lines...))
			files++
		}
		for n := range rapid.IntRange(1, 16).Draw(rt, "steps") {
			if len(turns) > 0 && rapid.IntRange(0, 2).Draw(rt, "revert") == 0 {
				write()
				to := rapid.IntRange(0, len(turns)-1).Draw(rt, "to")
				from, seen, turns = turns[to].at, turns[to].seen, turns[:to]
				lines = []string{header(id, base(from, id))}
			}
			turns = append(turns, turn{from + len(lines), slices.Clip(seen)})
			lines = append(lines, item(user(fmt.Sprint("ask ", n))), item(thought), item(says(fmt.Sprint("say ", n))), tokens(10+n, 1))
			seen = append(slices.Clip(seen), fmt.Sprint("user: ask ", n), fmt.Sprint("assistant: (hm) | say ", n))
		}
		write()
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		if got := r.View(t); r.Err != nil || !slices.Equal(got, seen) {
			rt.Fatalf("%v\ngot  %q\nwant %q\n%s", r.Err, got, seen, r.Story())
		}
	})
}
