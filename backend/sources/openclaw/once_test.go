package openclaw

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestTheSameIDElsewhere: each agent has its sessions for itself, in a database or in files. All that say different things are there, each under
// an id that stays, and none twice.
func TestTheSameIDElsewhere(t *testing.T) {
	one, more, other := text("1 - "+user("one")), text("1 - "+user("one"), "2 1 "+said("two")), text("1 - "+user("other"))
	for name, c := range map[string]struct {
		main, work string // databases
		files      map[string]string
		want       map[string]string
	}{
		"two databases":             {one, other, nil, map[string]string{"s1": "user: one\n", "s1@work": "user: other\n"}},
		"the same in both":          {one, one, nil, map[string]string{"s1": "user: one\n"}},
		"one that goes on":          {one, more, nil, map[string]string{"s1": "user: one\nassistant: two\n"}},
		"one that went on":          {more, one, nil, map[string]string{"s1": "user: one\nassistant: two\n"}},
		"a file of another agent's": {one, "", map[string]string{"work": other}, map[string]string{"s1": "user: one\n", "s1@sessions": "user: other\n"}},
		"a file of its own":         {one, "", map[string]string{"main": other}, map[string]string{"s1": "user: one\n"}},
		"an old copy as a file":     {more, "", map[string]string{"work": one}, map[string]string{"s1": "user: one\nassistant: two\n"}},
		"files of both":             {"", "", map[string]string{"main": one, "work": other}, map[string]string{"s1": "user: one\n", "s1@work": "user: other\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			for _, made := range []struct{ agent, events string }{{"work", c.work}, {"main", c.main}} {
				if made.events == "" {
					continue
				}
				path := database(t, home, made.events, `UPDATE session_nodes SET entry_json = NULL`)
				dir := filepath.Join(home, ".openclaw/agents", made.agent, "agent")
				if filepath.Dir(path) != dir {
					if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
						t.Fatal(err)
					}
					if err := os.Rename(filepath.Dir(path), dir); err != nil {
						t.Fatal(err)
					}
				}
			}
			for agent, events := range c.files {
				sourcetest.Write(t, home, ".openclaw/agents/"+agent+"/sessions/s1.jsonl", events)
			}
			env := sourcetest.Env(t, home)
			got := map[string]string{}
			for _, f := range sourcetest.Find(t, Source{}, env) {
				r := sourcetest.Read(t, Source{}, env, f)
				if r.Err != nil {
					t.Error(f.ID, r.Err)
				}
				got[f.ID] = r.Seen(t)
			}
			if !maps.Equal(got, c.want) {
				t.Errorf("%q", got)
			}
		})
	}
}
