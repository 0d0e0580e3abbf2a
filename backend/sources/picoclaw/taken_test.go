package picoclaw

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/sources/sourcetest"
)

// TestTakenOver: when a session gets another name, what was said is copied, and the file with the earlier name stays. It is told of only
// if it has more, and what went on has its id.
func TestTakenOver(t *testing.T) {
	const named = `{"key":"cli:demo","summary":"","skip":0}`
	more := strings.Replace(lines, "# rules", "earlier", 1)
	for name, c := range map[string]struct {
		earlier, later string
		want           []string
	}{
		"as it was":         {lines, lines + `{"role":"user","content":"later"}` + "\n", []string{"cli:demo"}},
		"the same":          {lines, lines, []string{"cli:demo"}},
		"gone on apart":     {more, lines + lines, []string{"cli:demo", "cli:demo@cli_demo"}},
		"summarized since":  {lines, `{"role":"user","content":"later"}` + "\n", []string{"cli:demo", "cli:demo@cli_demo"}},
		"nothing was in it": {"", lines, []string{"cli:demo", "cli:demo@cli_demo"}},
	} {
		home := sourcetest.Home(t, map[string]string{
			dir + "cli_demo.jsonl": c.earlier, dir + "cli_demo.meta.json": named, dir + "sk_v1_aa.jsonl": c.later, dir + "sk_v1_aa.meta.json": meta1(`"skip":0`),
		})
		found := sourcetest.Find(t, Source{}, sourcetest.Env(t, home))
		var got []string
		for _, f := range found {
			got = append(got, f.ID)
		}
		if strings.Join(got, " ") != strings.Join(c.want, " ") || filepath.Base(found[0].Files[0]) != "sk_v1_aa.jsonl" {
			t.Errorf("%s: %q, %+v", name, got, found)
		}
	}
}

// TestIDStays: a session that was taken over into a later form has the id that it had, whichever of the earlier forms are left; where none is, or
// several sessions could be the one, they have their own.
func TestIDStays(t *testing.T) {
	const (
		object = `{"key":"cli:demo","messages":[{"role":"user","content":"# rules"}],"summary":"","created":"2026-01-02T10:00:00Z"}`
		copied = `{"key":"cli:demo","summary":"","skip":0}`
		other  = `{"role":"user","content":"of another"}` + "\n"
	)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"nothing":                {nil, "sk_v1_aa"},
		"both":                   {map[string]string{"cli_demo.json": object}, "cli:demo"},
		"taken over":             {map[string]string{"cli_demo.json.migrated": object}, "cli:demo"},
		"taken over, half of it": {map[string]string{"cli_demo.json.migrated": object[:20]}, "cli:demo"},
		"by its first name":      {map[string]string{"agent_main_main.json.migrated": strings.Replace(object, "cli:demo", "agent:main:main", 1)}, "agent:main:main"},
		"in two steps":           {map[string]string{"cli_demo.json.migrated": object, "cli_demo.jsonl": lines, "cli_demo.meta.json": copied}, "cli:demo"},
		"with no key":            {map[string]string{"cli_demo.json": `{"messages":[{"role":"user","content":"# rules"}]}`}, "sk_v1_aa"},
		"of two": {map[string]string{
			"cli_demo.json.migrated": object, "sk_v1_bb.jsonl": other, "sk_v1_bb.meta.json": `{"key":"sk_v1_bb","aliases":["cli:demo"]}`,
		}, "sk_v1_aa sk_v1_bb"},
	} {
		files := map[string]string{dir + "sk_v1_aa.jsonl": lines, dir + "sk_v1_aa.meta.json": meta1(`"skip":0`)}
		for file, text := range c.files {
			files[dir+file] = text
		}
		env := sourcetest.Env(t, sourcetest.Home(t, files))
		var got []string
		for _, f := range sourcetest.Find(t, Source{}, env) {
			if got = append(got, f.ID); strings.HasSuffix(f.Files[0], "sk_v1_aa.jsonl") {
				r := sourcetest.Read(t, Source{}, env, f)
				var followed bytes.Buffer
				if reading, err := (Source{}).Follow(t.Context(), env, f, logOf(f, &followed)); r.Err != nil || len(r.Records) != 5 || reading == nil || err != nil {
					t.Errorf("%s: %d records, %v; followed %v", name, len(r.Records), r.Err, err)
				}
			}
		}
		if slices.Sort(got); strings.Join(got, " ") != c.want {
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
