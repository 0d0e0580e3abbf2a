package all

import (
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/sourcetest"
)

// TestSettingsUnread: settings that might say where sessions are, what they are called or when they go, and that are too large to be read,
// are told of where they are asked for.
func TestSettingsUnread(t *testing.T) {
	for agent, files := range map[string][]string{
		"codex": {".codex/config.toml"}, "pi": {".pi/agent/settings.json"}, "openclaw": {".openclaw/openclaw.json"},
		"picoclaw": {".picoclaw/config.json"}, "gemini": {".gemini/projects.json", ".gemini/settings.json"},
		"claudecode": {".claude/settings.json", ".claude.json"},
	} {
		for _, name := range files {
			t.Run(name, func(t *testing.T) {
				home := t.TempDir()
				sourcetest.Stretch(t, sourcetest.Write(t, home, name, "{}"), 65<<20)
				env := sourcetest.Env(t, home)
				var told []string
				env.Denied = func(err error) { told = append(told, err.Error()) }
				for _, source := range Sources(nil) {
					if source.Agent() != agent {
						continue
					}
					sourcetest.Find(t, source, env)
					if retainer, is := source.(sources.Retainer); is {
						retainer.Retention(env)
					}
				}
				if all := strings.Join(told, "\n"); !strings.Contains(all, name+": 68157440 bytes: too large to be read") {
					t.Error(all)
				}
			})
		}
	}
}

// TestNamesUnread: so is a database that has what sessions are called, if it is none.
func TestNamesUnread(t *testing.T) {
	home := t.TempDir()
	sourcetest.Stretch(t, sourcetest.Write(t, home, ".codex/state_5.sqlite", "{}"), 65<<20)
	env := sourcetest.Env(t, home)
	told := ""
	env.Denied = func(err error) { told += err.Error() }
	sourcetest.Find(t, codex.Source{}, env)
	if !strings.Contains(told, "state_5.sqlite: ") || !strings.Contains(told, "not a database") {
		t.Error(told)
	}
}
