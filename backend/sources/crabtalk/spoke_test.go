package crabtalk

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
)

// TestSpoke: when something was said last the end of its run tells, whatever was written since: a title, or a compaction. A prompt behind it was
// written when its file was.
func TestSpoke(t *testing.T) {
	const done, prompt, later = 6, `{"role":"user","content":"next"}`, `{"compact":"S","archived_at":"2026-04-01T10:05:00Z"}`
	long := `{"role":"tool","content":"` + strings.Repeat("x ", 150<<10) + `","tool_call_id":"c1"}`
	const told = "2026-04-01T10:00:09Z"
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"a run that ended":         {talk[:done+1], told},
		"and a compaction":         {append(append([]string{}, talk[:done+1]...), later), told},
		"a prompt behind it":       {append(append([]string{}, talk[:done+1]...), prompt), ""},
		"one that tells its time":  {append(append([]string{}, talk[:done+1]...), `{"role":"user","content":"next","timestamp":"2026-04-01T11:00:00Z"}`), "2026-04-01T11:00:00Z"},
		"a long one":               {append([]string{talk[0], talk[1], long}, talk[5:done+1]...), told},
		"a long one, and a prompt": {append(append([]string{talk[0], talk[1], long}, talk[5:done+1]...), prompt), ""},
		"no run":                   {talk[:3], ""},
	} {
		steps := map[string]string{dir + "crab_user_1/meta": c.lines[0]}
		for i, line := range c.lines[1:] {
			steps[fmt.Sprintf("%scrab_user_1/step-%06d", dir, i+1)] = line
		}
		for form, files := range map[string]map[string]string{"lines": {dir + "crab_user_1.jsonl": strings.Join(c.lines, "\n") + "\n"}, "steps": steps} {
			begun := time.Now().Add(-time.Minute)
			f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, sourcetest.Home(t, files))))
			got := f.UpdatedAt.UTC().Format(time.RFC3339)
			if f.UpdatedAt.After(begun) {
				got = ""
			}
			if got != c.want || len(c.lines) > done && f.Model != "m" {
				t.Errorf("%s in %s: %q, not %q, of %q", name, form, got, c.want, f.Model)
			}
		}
	}
}
