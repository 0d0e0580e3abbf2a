package claudecode

import (
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestCheckpoint: a conversation goes on where Claude Code noted it, if nothing was said since.
func TestCheckpoint(t *testing.T) {
	const chosen, noted = `"explicit":true,"rewound":true`, `"lastPrompt":"x"`
	leaf := func(id, more string) string { return `{"type":"last-prompt","leafUuid":` + id + `,` + more + `}` }
	talk := []string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + user("two"), "4 3 " + said("n", text("B"), 1)}
	first, all := []string{"user: one", "assistant: A"}, []string{"user: one", "assistant: A", "user: two", "assistant: B"}
	kept := "5 - " + boundary(`,"logicalParentUuid":"4","compactMetadata":{"preservedMessages":{"uuids":["3","4"]}}`)
	for name, c := range map[string]struct {
		more []string
		want []string
	}{
		"rewound":                              {[]string{leaf(`"2"`, chosen)}, first},
		"rewound, and noted again":             {[]string{leaf(`"2"`, chosen), leaf(`"2"`, noted), `{"type":"last-prompt","lastPrompt":"x"}`}, first},
		"rewound, and back":                    {[]string{leaf(`"2"`, chosen), leaf(`"4"`, noted)}, all},
		"rewound to the beginning":             {[]string{leaf(`null`, chosen)}, nil},
		"rewound, and gone on":                 {[]string{leaf(`null`, chosen), "5 4 " + user("three")}, append(slices.Clip(all), "user: three")},
		"noted on the way":                     {[]string{leaf(`"2"`, noted)}, all},
		"noted, without a row":                 {[]string{leaf(`null`, noted)}, all},
		"noted where it ends no more":          {[]string{"5 2 " + user("other"), leaf(`"4"`, noted)}, all},
		"noted at a row that is not there":     {[]string{leaf(`"9"`, chosen)}, all},
		"rewound to what a compaction kept":    {[]string{kept, "6 5 " + summed, "7 6 " + user("three"), leaf(`"3"`, chosen)}, []string{summary, "user: two"}},
		"rewound to all that it kept":          {[]string{kept, "6 5 " + summed, "7 6 " + user("three"), leaf(`"4"`, chosen)}, []string{summary, "user: two", "assistant: B"}},
		"rewound to before what it kept":       {[]string{kept, "6 5 " + summed, "7 6 " + user("three"), leaf(`"2"`, chosen)}, []string{summary, "user: two", "assistant: B", "user: three"}},
		"rewound to before one that kept none": {[]string{"5 - " + boundary(""), "6 5 " + summed, leaf(`"2"`, chosen)}, first},
	} {
		if got := read(t, rows(append(slices.Clip(talk), c.more...)...)).View(t); !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q", name, got, c.want)
		}
	}
}

// TestRewoundAndGrown: a session that was rewound is not read anew for what is written behind that.
func TestRewoundAndGrown(t *testing.T) {
	talk := rows("1 - "+user("one"), "2 1 "+said("m", text("A"), 1), "3 2 "+user("two"), "4 3 "+said("n", text("B"), 1),
		"5 - "+boundary(`,"logicalParentUuid":"4","compactMetadata":{"preservedMessages":{"uuids":["3","4"]}}`), "6 5 "+summed, "7 6 "+user("three"))
	for _, leaf := range []string{`"3"`, `"4"`, `"7"`, "null"} {
		all, cuts := talk, []int{len(talk)}
		for _, line := range []string{
			`{"type":"last-prompt","leafUuid":` + leaf + `,"explicit":true}`, `{"type":"custom-title","customTitle":"T"}`,
			`{"type":"custom-title","customTitle":"U"}`, strings.TrimSuffix(rows("8 7 "+user("four")), "\n"),
		} {
			all += line + "\n"
			cuts = append(cuts, len(all))
		}
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, all)
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		if went := sourcetest.Pieces(t, Source{}, env, found, cuts); went != len(cuts)-1 {
			t.Errorf("rewound to %s: went on %d times of %d", leaf, went, len(cuts)-1)
		}
	}
}
