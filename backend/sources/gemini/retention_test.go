package gemini

import (
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

func TestRetention(t *testing.T) {
	const none = -1
	for rule, c := range map[string]struct {
		days int
		from sources.RetentionFrom
	}{
		"":                  {30, sources.RetentionDefault},
		`{"enabled":false}`: {none, sources.RetentionOff},
		`{"maxAge":"7d"}`:   {7, sources.RetentionSettings},
		`{"maxAge":"36h"}`:  {1, sources.RetentionSettings},
		`{"maxAge":"2w"}`:   {14, sources.RetentionSettings},
		`{"maxAge":"soon"}`: {30, sources.RetentionDefault},
	} {
		t.Run(rule, func(t *testing.T) {
			env := sourcetest.Env(t, t.TempDir())
			if rule != "" {
				sourcetest.Write(t, env.Home, ".gemini/settings.json", `{"general":{"sessionRetention":`+rule+`}}`)
			}
			got, days := Source{}.Retention(env), none
			if got.Days != nil {
				days = *got.Days
			}
			if days != c.days || got.From != c.from {
				t.Errorf("%d days by %s", days, got.From)
			}
		})
	}
}
