package library

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"palimpsest/backend/sources"
)

// TestDenied: that a source may not look into a folder is told of, hides nothing that was found, and is over when the next search may.
func TestDenied(t *testing.T) {
	r := newRig(t)
	r.write("one/a", "x")
	one := &shop{name: "one", denied: []string{"/x", "/y", "/x"}}
	l := Open(Options{Cache: r.cache, Home: r.home, Getenv: os.Getenv, Sources: []sources.Source{one}})
	t.Cleanup(l.Close)
	for range 2 {
		all, err := l.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(all.Found) != 1 || !all.Searched["one"] || len(all.Problems) > 0 {
			t.Errorf("%+v", all)
		}
		agents, err := l.Agents(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(one.denied) == 0 {
			if len(all.Unseen) > 0 || agents[0].Problem != nil {
				t.Error(all.Unseen, agents[0].Problem)
			}
			continue
		}
		if len(all.Unseen) != 1 || !strings.Contains(all.Unseen[0].Error(), "2 places can't be looked into: open /x") || !errors.Is(agents[0].Problem, fs.ErrPermission) {
			t.Error(all.Unseen, agents[0].Problem)
		}
		one.denied = nil
	}
}
