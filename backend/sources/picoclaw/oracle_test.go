package picoclaw

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/sources/sourcetest"
)

// given are the messages that PicoClaw would give to the model: by its own rules, lines that are empty do not count, all others do, and
// what is hidden is so many of those.
func given(text string, skip int) (all []string) {
	count := 0
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" {
			continue
		}
		if count++; count <= skip {
			continue
		}
		var m struct{ Role, Content string }
		if json.Unmarshal([]byte(line), &m) == nil && m.Content != "" {
			all = append(all, m.Role+": "+m.Content)
		}
	}
	return all
}

// TestAsPicoClawGivesIt: the model sees what PicoClaw would give to it, whatever lines stand between the messages.
func TestAsPicoClawGivesIt(t *testing.T) {
	home := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		var lines []string
		for i := range rapid.IntRange(1, 12).Draw(rt, "lines") {
			more := rapid.SampledFrom([]string{"", `,"created_at":"2026-01-02T10:00:00Z"`, `,"created_at":7`, `,"media":[]`, `,"tool_calls":null`, `,"later":{}`}).Draw(rt, "more")
			lines = append(lines, rapid.SampledFrom([]string{
				fmt.Sprintf(`{"role":"user","content":"t%d"%s}`, i, more), fmt.Sprintf(`{"role":"assistant","content":"t%d"%s}`, i, more),
				fmt.Sprintf(`{"role":"user","content":"t%d"%s}`, i, more), "", "  ", "\t", "\x00", "rubbish", "{", "[]", "null", "7",
			}).Draw(rt, "line"))
		}
		ends := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "ends")
		text := strings.Join(lines, ends) + ends + rapid.SampledFrom([]string{"", `{"role":"us`}).Draw(rt, "tail")
		skip := rapid.IntRange(0, 14).Draw(rt, "skip")
		sourcetest.Write(t, home, dir+"sk_v1_aa.jsonl", text)
		sourcetest.Write(t, home, dir+"sk_v1_aa.meta.json", meta1(fmt.Sprintf(`"summary":"","skip":%d`, skip)))
		env := sourcetest.Env(t, home)
		found := sourcetest.Find(t, Source{}, env)
		if len(found) == 0 || found[0].Problem != "" {
			return
		}
		r := sourcetest.Read(t, Source{}, env, found[0])
		if got, want := r.View(t), given(text, skip); r.Err != nil || !slices.Equal(got, want) {
			rt.Fatalf("%v\n%q, skip %d\ngot  %q\nwant %q\n%s", r.Err, text, skip, got, want, r.Story())
		}
	})
}
