package claudecode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestKeptInParts: what stands before a message that all behind was summarized from is before the summary, and only the rows that a
// compaction names are kept.
func TestKeptInParts(t *testing.T) {
	talk := []string{
		"1 - " + user("one"), `2 1 "type":"attachment","attachment":{"type":"nested_memory","content":{"content":"rules"}}`, "3 2 " + said("m", text("A"), 1),
		"4 3 " + said("m", call("c"), 1), "5 4 " + done("c", "out"), "6 5 " + said("n", text("B"), 1), "7 6 " + user("two"), "8 7 " + said("o", text("C"), 1),
		`9 8 "isApiErrorMessage":true,` + said("p", text("E"), 1),
	}
	list := func(anchor string, ids ...string) string {
		return "b - " + boundary(`,"logicalParentUuid":"9","compactMetadata":{"preservedMessages":{"anchorUuid":"`+anchor+`","uuids":["`+strings.Join(ids, `","`)+`"]}}`)
	}
	const segment = `,"logicalParentUuid":"9","compactMetadata":{"preservedSegment":{"anchorUuid":"b","headUuid":"1","tailUuid":"6"}}`
	begin := []string{"user: one", "user: rules", `assistant: A | Bash{"c":1}`, "toolResult: out", "assistant: B"}
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"summarized from a message on": {[]string{list("b", "1", "2", "3", "4", "5", "6"), "s 6 " + summed, "10 s " + user("three")}, slices.Concat(begin, []string{summary, "user: three"})},
		"as earlier versions noted it": {[]string{"b - " + boundary(segment), "s b " + summed, "10 s " + user("three")}, slices.Concat(begin, []string{summary, "user: three"})},
		"ends that do not meet":        {[]string{"b - " + boundary(strings.Replace(segment, `"1"`, `"8"`, 1)), "s b " + summed, "10 s " + user("three")}, []string{summary, "user: three"}},
		"gone back to what stayed":     {[]string{list("b", "1", "2", "3", "4", "5", "6"), "s 6 " + summed, "10 s " + user("three"), "11 1 " + user("four")}, []string{"user: one", "user: four"}},
		"gone back to what went":       {[]string{list("b", "1", "2"), "s 2 " + summed, "10 s " + user("three"), "11 7 " + user("four")}, []string{"user: one", "user: rules", summary, "user: four"}},
		"some left out":                {[]string{list("s", "1", "8", "9"), "s b " + summed, "10 9 " + user("three")}, []string{summary, "user: one", "assistant: C", "user: three"}},
		"without its summary":          {[]string{list("b", "1", "8")}, []string{"user: one", "assistant: C"}},
		"a row that is not there":      {[]string{list("s", "1", "gone", "8"), "s b " + summed, "10 s " + user("three")}, []string{summary, "user: three"}},
	} {
		r := read(t, rows(append(slices.Clip(talk), c.lines...)...))
		if got := r.View(t); !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q\n%s", name, got, c.want, r.Story())
		}
	}
	queued := `q 8 "type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"also"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AQID"}}]}`
	if got := read(t, rows(append(slices.Clip(talk), queued, list("s", "1", "q"), "s b "+summed)...)).View(t); !slices.Equal(got, []string{summary, "user: one", "user: also | [image]"}) {
		t.Errorf("what was said meanwhile: %q", got)
	}
	if r := read(t, rows(append(slices.Clip(talk), list("b", "7", "8"), "s 8 "+summed)...)); !strings.Contains(string(r.Log), `"keptSeqs":[`) {
		t.Errorf("what is kept is not known again:\n%s", r.Log)
	}
}

// TestKeptFromBefore: what is kept is known again also where it was read before a reading went on.
func TestKeptFromBefore(t *testing.T) {
	talk := rows("1 - "+user("one"), "2 1 "+said("m", text("A"), 1), "3 2 "+user("two"))
	all := talk + rows("b - "+boundary(`,"logicalParentUuid":"3","compactMetadata":{"preservedMessages":{"anchorUuid":"b","uuids":["1","3"]}}`), "s b "+summed)
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, all)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if r := sourcetest.Read(t, Source{}, env, found); !strings.Contains(string(r.Log), `"keptSeqs":[`) {
		t.Errorf("%s", r.Log)
	}
	if went := sourcetest.Pieces(t, Source{}, env, found, []int{len(talk), len(all)}); went != 1 {
		t.Error(went)
	}
}

// TestSegmentsWithoutEnd: parents that lead around are not followed again for each compaction that says where what it keeps begins.
func TestSegmentsWithoutEnd(t *testing.T) {
	allocs := func(n int) float64 {
		var lines []string
		for i := range n {
			lines = append(lines, fmt.Sprintf("%d %d %s", i, (i+n-1)%n, user("one")))
		}
		for i := range n {
			ends := [][2]any{{"gone", 1}, {n - 1, 1}, {n - 1, n - 2}}[i%3]
			lines = append(lines, fmt.Sprintf("b%d - %s", i, boundary(fmt.Sprintf(`,"compactMetadata":{"preservedSegment":{"headUuid":"%v","tailUuid":"%v"}}`, ends[0], ends[1]))))
		}
		file := rows(lines...)
		return testing.AllocsPerRun(1, func() { read(t, file) })
	}
	const few, many = 20, 320
	if a, b := allocs(few), allocs(many); b > a*many/few*2 {
		t.Errorf("%.0f for %d, %.0f for %d", a, few, b, many)
	}
}
