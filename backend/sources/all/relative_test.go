package all

import (
	"path/filepath"
	"slices"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestRelative: what a variable names is a place below the working folder unless it is a whole path, as it is for an agent started there;
// where that place is a file there are no sessions, and nothing is told of.
func TestRelative(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	here, err := filepath.EvalSymlinks(here)
	if err != nil {
		t.Fatal(err)
	}
	for agent, c := range map[string][2]string{
		"codex": {"CODEX_HOME", "sessions"}, "claudecode": {"CLAUDE_CONFIG_DIR", "projects"}, "crabtalk": {"CRABTALK_HOME", ""},
		"opencode": {"XDG_DATA_HOME", "opencode"}, "gemini": {"GEMINI_CLI_HOME", ".gemini/tmp"}, "pi": {"PI_CODING_AGENT_SESSION_DIR", ""},
		"openclaw": {"OPENCLAW_STATE_DIR", ""}, "coderclaw": {"CODERCLAW_STATE_DIR", ""}, "picoclaw": {"PICOCLAW_HOME", "workspace/sessions"},
	} {
		t.Run(agent, func(t *testing.T) {
			source := Sources(nil)[slices.IndexFunc(Sources(nil), func(s sources.Source) bool { return s.Agent() == agent })]
			env := sourcetest.EnvWith(t, t.TempDir(), c[0]+"=moved")
			if want := filepath.Join(here, "moved", filepath.FromSlash(c[1])); !slices.Contains(source.Roots(env), want) {
				t.Errorf("%q, not %s", source.Roots(env), want)
			}
			sourcetest.Write(t, here, "moved", "a file")
			env.Denied = func(err error) { t.Error(err) }
			if found := sourcetest.Find(t, source, env); len(found) > 0 {
				t.Errorf("%+v", found)
			}
		})
	}
}
