package openclaw

import (
	"path/filepath"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

func TestRetention(t *testing.T) {
	const none = -1
	for name, c := range map[string]struct {
		source   Source
		settings string
		days     int
		from     sources.RetentionFrom
	}{
		"by default":                {Source{}, "", 30, sources.RetentionDefault},
		"settings that are no JSON": {Source{}, "{", 30, sources.RetentionDefault},
		"days":                      {Source{}, `{"session":{"maintenance":{"pruneAfter":"45d"}}}`, 45, sources.RetentionSettings},
		"a number":                  {Source{}, `{"session":{"maintenance":{"pruneAfter":7}}}`, 7, sources.RetentionSettings},
		"given twice":               {Source{}, `{"session":{},"session":{"maintenance":{"pruneAfter":1,"pruneAfter":7}}}`, 7, sources.RetentionSettings},
		"JSON5":                     {Source{}, "{ // \"yes\"\n session: {maintenance: {pruneAfter: '45d',},},\n}", 45, sources.RetentionSettings},
		"weeks":                     {Source{}, `{"session":{"maintenance":{"pruneAfter":"2w"}}}`, 14, sources.RetentionSettings},
		"only warned of":            {Source{}, `{"session":{"maintenance":{"mode":"warn"}}}`, none, sources.RetentionOff},
		"the fork, by default":      {Source{Fork: true}, "", none, sources.RetentionDefault},
		"the fork, told to":         {Source{Fork: true}, `{"session":{"maintenance":{"mode":"enforce"}}}`, 30, sources.RetentionDefault},
	} {
		t.Run(name, func(t *testing.T) {
			env := sourcetest.Env(t, t.TempDir())
			if c.settings != "" {
				sourcetest.Write(t, env.Home, "."+c.source.Agent()+"/"+c.source.Agent()+".json", c.settings)
			}
			got, days := c.source.Retention(env)[0], none
			if got.Days != nil {
				days = *got.Days
			}
			if days != c.days || got.From != c.from {
				t.Errorf("%d days by %s", days, got.From)
			}
		})
	}
}

// TestRetentionElsewhere: settings that a variable names elsewhere are those that count.
func TestRetentionElsewhere(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, "settings/claw.json", `{"session":{"maintenance":{"pruneAfter":7}}}`)
	env.Getenv = func(name string) string {
		return map[string]string{"OPENCLAW_CONFIG_PATH": "~/settings/claw.json"}[name]
	}
	if got := (Source{}).Retention(env)[0]; got.Days == nil || *got.Days != 7 || got.File != filepath.Join(env.Home, "settings", "claw.json") {
		t.Errorf("%+v", got)
	}
}
