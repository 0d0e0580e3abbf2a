package gemini

import (
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

func TestRetention(t *testing.T) {
	const none = -1
	for rule, c := range map[string]struct {
		days int
		from sources.RetentionFrom
		most int
	}{
		"":                              {days: 30, from: sources.RetentionDefault},
		`{"enabled":false}`:             {days: none, from: sources.RetentionOff},
		`{"maxAge":"7d"}`:               {days: 7, from: sources.RetentionSettings},
		`{"maxAge":"36h"}`:              {days: 1, from: sources.RetentionSettings},
		`{"maxAge":"2w"}`:               {days: 14, from: sources.RetentionSettings},
		`{"maxAge":"2d","maxAge":"9d"}`: {days: 9, from: sources.RetentionSettings},
		`{"maxAge":"60d","maxCount":3}`: {days: 60, from: sources.RetentionSettings, most: 3},
		`{"maxCount":50}`:               {days: 30, from: sources.RetentionSettings, most: 50},
		`{"maxCount":0}`:                {days: 30, from: sources.RetentionDefault},
		`{"maxCount":"many"}`:           {days: 30, from: sources.RetentionDefault},
		`{"maxAge":"soon"}`:             {days: 30, from: sources.RetentionDefault},
		`{"enabled":true, // "off"
"maxAge":"3d"}`: {days: 3, from: sources.RetentionSettings},
	} {
		t.Run(rule, func(t *testing.T) {
			env := sourcetest.Env(t, t.TempDir())
			if rule != "" {
				sourcetest.Write(t, env.Home, ".gemini/settings.json", `{"general":{"sessionRetention":`+rule+`}}`)
			}
			got, days := Source{}.Retention(env)[0], none
			if got.Days != nil {
				days = *got.Days
			}
			if days != c.days || got.From != c.from || got.Most != c.most {
				t.Errorf("%d days, %d at most, by %s", days, got.Most, got.From)
			}
		})
	}
}

// TestBesideOneOfTwo: what stands beside a session is found for one that was told of under an id of its own, too.
func TestBesideOneOfTwo(t *testing.T) {
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
		chats + "session-1-s1.jsonl":              file(set(start), user("u1", "one")),
		chats + "session-2-s1.jsonl":              file(set(start), user("u1", "one"), user("u2", "two")),
		project + "tool-outputs/session-s1/x.txt": "output",
	}))
	all := sourcetest.Find(t, Source{}, env)
	for _, f := range all {
		if beside := (Source{}).Beside(t.Context(), env, f); len(beside) != 2 || !strings.HasSuffix(beside[1], "x.txt") {
			t.Errorf("%s: %q", f.ID, beside)
		}
	}
	if len(all) != 2 {
		t.Errorf("%d sessions", len(all))
	}
}
