package picoclaw

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestMovedWorkspaces: agents that the settings give no workspace have theirs beside the shared one, wherever that is.
func TestMovedWorkspaces(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		".picoclaw/config.json":                      `{"agents":{"defaults":{"workspace":" ~/data/shared "},"list":[{"id":"main","default":true},{"id":"Coder"},{"id":"other","workspace":"~/own"}]}}`,
		"data/shared/sessions/a.jsonl":               lines,
		"data/workspace-coder/sessions/b.jsonl":      lines,
		"data/workspace-none/sessions/c.jsonl":       lines,
		"own/sessions/d.jsonl":                       lines,
		"elsewhere/shared/sessions/e.jsonl":          lines,
		"elsewhere/workspace-coder/sessions/f.jsonl": lines,
	})
	for variable, want := range map[string][]string{
		"": {"a", "b", "d"},
		"PICOCLAW_AGENTS_DEFAULTS_WORKSPACE=" + filepath.Join(home, "elsewhere", "shared"): {"a", "d", "e", "f"},
	} {
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, sourcetest.EnvWith(t, home, variable)))
		if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
			t.Errorf("%s: %q", variable, got)
		}
	}
}
