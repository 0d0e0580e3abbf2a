package claudecode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/sources/sourcetest"
)

// TestAnyRewinds: wherever a person goes back to, whatever links there are between rows, and whatever subagents say among them, the model
// sees what it had seen there and what was said since.
func TestAnyRewinds(t *testing.T) {
	links := []string{`"type":"progress"`, `"type":"attachment","attachment":{"type":"prompt_snapshot"}`, `"type":"system","subtype":"turn_duration"`}
	env := sourcetest.Env(t, t.TempDir())
	rapid.Check(t, func(rt *rapid.T) {
		type moment struct {
			below string // the row that the next one hangs below, - for none
			seen  []string
		}
		now := moment{below: "-"}
		var before []moment // those of prompts since the last compaction
		var lines []string
		row := func(parent, rest string) string {
			lines = append(lines, fmt.Sprintf("r%d %s %s", len(lines), parent, rest))
			return fmt.Sprintf("r%d", len(lines)-1)
		}
		say := func(rest, line string) {
			now = moment{row(now.below, rest), append(slices.Clip(now.seen), line)}
		}
		for n := range rapid.IntRange(1, 16).Draw(rt, "steps") {
			switch rapid.IntRange(0, 9).Draw(rt, "first") {
			case 0, 1:
				if len(before) > 0 {
					now = rapid.SampledFrom(before).Draw(rt, "back to")
				}
			case 2:
				aside := row("-", `"isSidechain":true,`+user("aside"))
				row(aside, `"isSidechain":true,`+said(fmt.Sprint("s", n), text("did"), 1))
			case 3:
				if len(now.seen) > 0 {
					at := row("-", boundary(`,"logicalParentUuid":"`+now.below+`"`))
					now, before = moment{row(at, summed), []string{summary}}, nil
				}
			}
			if rapid.Bool().Draw(rt, "link") {
				now.below = row(now.below, rapid.SampledFrom(links).Draw(rt, "of"))
			}
			before = append(before, now)
			say(user(fmt.Sprint("ask ", n)), fmt.Sprint("user: ask ", n))
			if rapid.Bool().Draw(rt, "answer") {
				say(said(fmt.Sprint("m", n), text(fmt.Sprint("say ", n)), 1), fmt.Sprint("assistant: say ", n))
			}
		}
		sourcetest.Write(t, env.Home, place, rows(lines...))
		r := sourcetest.Read(t, Source{}, env, sourcetest.Find(t, Source{}, env)[0])
		if got := r.View(t); r.Err != nil || !slices.Equal(got, now.seen) {
			rt.Fatalf("%v\ngot  %q\nwant %q\n%s\n%s", r.Err, got, now.seen, strings.Join(lines, "\n"), r.Story())
		}
	})
}
