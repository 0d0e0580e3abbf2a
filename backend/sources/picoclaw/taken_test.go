package picoclaw

import (
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/sources/sourcetest"
)

// TestTakenOver: when a session gets another name, what was said is copied, and the file with the earlier name stays. It is told of only
// if it has more.
func TestTakenOver(t *testing.T) {
	const named = `{"key":"cli:demo","summary":"","skip":0}`
	more := strings.Replace(lines, "# rules", "earlier", 1)
	for name, c := range map[string]struct {
		earlier, later string
		want           []string
	}{
		"as it was":         {lines, lines + `{"role":"user","content":"later"}` + "\n", []string{"sk_v1_aa"}},
		"the same":          {lines, lines, []string{"sk_v1_aa"}},
		"gone on apart":     {more, lines + lines, []string{"sk_v1_aa", "cli:demo"}},
		"summarized since":  {lines, `{"role":"user","content":"later"}` + "\n", []string{"sk_v1_aa", "cli:demo"}},
		"nothing was in it": {"", lines, []string{"sk_v1_aa", "cli:demo"}},
	} {
		home := sourcetest.Home(t, map[string]string{
			dir + "cli_demo.jsonl": c.earlier, dir + "cli_demo.meta.json": named, dir + "sk_v1_aa.jsonl": c.later, dir + "sk_v1_aa.meta.json": meta1(`"skip":0`),
		})
		var got []string
		for _, f := range sourcetest.Find(t, Source{}, sourcetest.Env(t, home)) {
			got = append(got, f.ID)
		}
		if strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestOnlyThought: an answer that is nothing but thinking is not given back to the model, and is told all the same.
func TestOnlyThought(t *testing.T) {
	for rest, said := range map[string]bool{
		"": false, `,"content":"","tool_calls":null,"media":[]`: false, `,"content":"done"`: true,
		`,"tool_calls":[{"id":"c","function":{"name":"exec","arguments":"{}"}}]`: true,
	} {
		_, r := reading(t, map[string]string{dir + "sk_v1_aa.jsonl": `{"role":"user","content":"hi"}` + "\n" + `{"role":"assistant","reasoning_content":"hm"` + rest + "}\n"})
		answered := slices.ContainsFunc(r.Context(t).Messages, func(m overlay.Message) bool { return m.Role == record.RoleAssistant })
		if answered != said || !strings.Contains(r.Story(), "message assistant") {
			t.Errorf("%s: answered %t\n%s", rest, answered, r.Story())
		}
	}
}
