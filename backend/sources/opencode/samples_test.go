package opencode

import (
	"maps"
	"slices"
	"testing"

	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/sources/sqlite"
)

// TestSamples reads what real versions wrote.
func TestSamples(t *testing.T) {
	for name, sessions := range map[string]int{"opencode-1.1.65": 3, "opencode-1.18.33": 12} {
		t.Run(name, func(t *testing.T) {
			home := sourcetest.Samples(t, name)
			env := sourcetest.Env(t, home)
			cache := &sqlite.Cache{}
			defer func() { _ = cache.Close() }()
			s := Source{cache}
			sourcetest.Untouched(t, home, func() {
				found := sourcetest.Find(t, s, env)
				if len(found) != sessions {
					t.Errorf("%d sessions", len(found))
				}
				for _, id := range slices.Sorted(maps.Keys(found)) {
					f := found[id]
					r := sourcetest.Read(t, s, env, f)
					if r.Err != nil || r.Damaged > 0 || f.Title == "" || f.FirstMessage == "" || f.Cwd == "" || f.Model == "" && !f.Archived {
						t.Errorf("%+v: %v", f, r.Err)
					}
					for _, repair := range r.Context(t).Repairs {
						t.Logf("%s: %d %s", id, repair.Seq, repair.Reason)
					}
					t.Logf("%+v\n%s---\n%s", f, r.Story(), r.View(t))
				}
			})
		})
	}
}
