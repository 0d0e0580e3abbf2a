package all

import (
	"testing"

	"palimpsest/backend/sources"
)

// TestSources: each agent has a name of its own that can stand in an id, and says what is known of its sessions.
func TestSources(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Sources(nil) {
		name := s.Agent()
		for _, r := range name {
			if r < 'a' || r > 'z' {
				t.Errorf("%q can't stand in an id", name)
			}
		}
		if name == "" || seen[name] {
			t.Errorf("%q is the name of two", name)
		}
		seen[name] = true
		if _, tells := s.(interface{ Capabilities() []sources.Capability }); !tells {
			t.Errorf("%s does not say what is known of its sessions", name)
		}
	}
	if len(seen) == 0 {
		t.Error("there are none")
	}
}
