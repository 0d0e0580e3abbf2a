package openclaw

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/sources/sourcetest"
)

// written is an entry of a transcript: what it follows, by place, -1 for nothing, and what the model sees of it.
type written struct {
	id, kind, sees string
	parent, kept   int
}

// givenBy is what the model sees at the end of a transcript without resets and leaves: what was said on the way to the last entry, or what
// its newest compaction stands for.
func givenBy(all []written) (out []string) {
	var path []int
	for at := len(all) - 1; at >= 0; at = all[at].parent {
		path = append(path, at)
	}
	slices.Reverse(path)
	from, newest := 0, -1
	for i, at := range path {
		if all[at].kind == "compaction" {
			newest = i
		}
	}
	if newest >= 0 {
		out = append(out, all[path[newest]].sees)
		if from = slices.Index(path[:newest], all[path[newest]].kept); from < 0 {
			from = newest
		}
	}
	for i := from; i < len(path); i++ {
		if e := all[path[i]]; e.sees != "" && e.kind != "compaction" {
			out = append(out, e.sees)
		}
	}
	return out
}

// TestAsTheTreeGivesIt: wherever entries hang, the model sees the way to the last.
func TestAsTheTreeGivesIt(t *testing.T) {
	home := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		lines := []string{head}
		var all []written
		for i := range rapid.IntRange(1, 12).Draw(rt, "entries") {
			e := written{id: fmt.Sprintf("e%d", i), kind: rapid.SampledFrom([]string{"user", "user", "assistant", "assistant", "compaction", "custom", "custom_message", "session_info", "model_change"}).Draw(rt, "kind"), parent: i - 1, kept: -1}
			if i > 0 && rapid.IntRange(0, 3).Draw(rt, "elsewhere") == 0 {
				e.parent = rapid.IntRange(-1, i-1).Draw(rt, "parent")
			}
			parent := "null"
			if e.parent >= 0 {
				parent = `"` + all[e.parent].id + `"`
			}
			said := fmt.Sprintf("t%d", i)
			var members string
			switch e.kind {
			case "user", "assistant":
				content := rapid.SampledFrom([]string{`"%s"`, `[{"type":"text","text":"%s"}]`, `[{"type":"text","text":"%s"},{"type":"later","x":1}]`}).Draw(rt, "content")
				more := rapid.SampledFrom([]string{"", `,"usage":null`, `,"usage":"x"`, `,"stopReason":7`, `,"timestamp":"x"`, `,"provider":[]`}).Draw(rt, "more")
				members = `"type":"message","message":{"role":"` + e.kind + `","content":` + fmt.Sprintf(content, said) + more + `}`
				e.sees = e.kind + ": " + said
			case "compaction":
				kept := "nowhere"
				if i > 0 {
					e.kept = rapid.IntRange(-1, i-1).Draw(rt, "kept")
				}
				if e.kept >= 0 {
					kept = all[e.kept].id
				}
				members, e.sees = compacted("s"+said, kept), "user: s"+said
			case "custom_message":
				members, e.sees = `"type":"custom_message","customType":"x","content":"`+said+`","display":true`, "user: "+said
			default:
				members = `"type":"` + e.kind + `","name":"n","customType":"x","data":{},"modelId":"m","provider":"p"`
			}
			all = append(all, e)
			lines = append(lines, fmt.Sprintf(`{"id":%q,"parentId":%s,"timestamp":"2026-01-02T10:00:%02d.000Z",%s}`, e.id, parent, i, members))
			lines = append(lines, rapid.SampledFrom([]string{"", "", "", "rubbish", "[]", "\x00", " ", `{"type":"later","x":1}`}).Draw(rt, "between"))
		}
		ends := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "ends")
		text := rapid.SampledFrom([]string{"", "\xEF\xBB\xBF"}).Draw(rt, "mark") + strings.Join(lines, ends) + ends + rapid.SampledFrom([]string{"", `{"id":"z","type":"mess`}).Draw(rt, "tail")
		sourcetest.Write(t, home, sessionsDir+"s1.jsonl", text)
		env := sourcetest.Env(t, home)
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		r := sourcetest.Read(t, Source{}, env, found)
		got := r.View(t)
		for i, line := range got {
			if _, said, is := strings.Cut(line, "<summary>\n"); is {
				said, _, _ = strings.Cut(said, "\n")
				got[i] = "user: " + said
			}
		}
		if want := givenBy(all); r.Err != nil || !slices.Equal(got, want) {
			rt.Fatalf("%v\n%s\ngot  %q\nwant %q\n%s", r.Err, strings.Join(lines, "\n"), got, want, r.Story())
		}
	})
}
