package claudecode

import (
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestABoundaryWithoutASummary is a compaction once there is a row below it, whoever wrote that, and a note before: also where the file
// grows by that row, and where the summary comes after it.
func TestABoundaryWithoutASummary(t *testing.T) {
	talk := []string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 - " + boundary(`,"logicalParentUuid":"2"`)}
	all := []string{"user: one", "assistant: A"}
	for name, c := range map[string]struct {
		more        []string
		want        []string
		compactions int
	}{
		"at the end":                {nil, all, 0},
		"gone on beside it":         {[]string{"4 2 " + user("two")}, append(slices.Clip(all), "user: two"), 0},
		"gone on below it":          {[]string{"4 3 " + user("two")}, []string{"user: two"}, 1},
		"gone on below a note":      {[]string{`4 3 "type":"system","subtype":"informational","content":"x"`, "5 4 " + user("two")}, []string{"user: two"}, 1},
		"with its summary":          {[]string{"4 3 " + summed}, []string{summary}, 1},
		"with its summary, in time": {[]string{"4 3 " + user("two"), "5 4 " + summed}, []string{summary, "user: two"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			whole := rows(append(slices.Clip(talk), c.more...)...)
			r := read(t, whole)
			if got := r.View(t); !slices.Equal(got, c.want) || len(r.Triggers()) != c.compactions {
				t.Errorf("%q, %q", got, r.Triggers())
			}
			var cuts []int
			for at := range whole {
				if whole[at] == '\n' {
					cuts = append(cuts, at+1)
				}
			}
			env := sourcetest.Env(t, t.TempDir())
			sourcetest.Write(t, env.Home, place, strings.TrimSuffix(whole, "\n")+"\n")
			sourcetest.Pieces(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)), cuts)
		})
	}
}
