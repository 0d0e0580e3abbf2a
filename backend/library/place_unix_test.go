//go:build unix

package library

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnyPlace: in a cache whose path would be a pattern, a session whose file was only touched is taken over, and what it was before goes.
func TestAnyPlace(t *testing.T) {
	for _, name := range []string{"[a", "[!x]", "a*?", `b\c`, "{d}"} {
		t.Run(name, func(t *testing.T) {
			r, s := newRig(t), &shop{name: "pi"}
			r.cache = filepath.Join(r.cache, name)
			r.write("pi/one", strings.Repeat("hello\n", compareFrom/6+1))
			ref := Ref{"pi", "one"}
			read := func() (Reading, error) { return r.open(s).Read(t.Context(), ref) } // by a program that remembers nothing
			first, err := read()
			must(t, err)
			path := filepath.Join(r.home, "pi", "one")
			must(t, os.Rename(path, path+".moved")) // and back: it was touched
			must(t, os.Rename(path+".moved", path))
			must(t, os.Chmod(path, 0o400))
			second, err := read()
			must(t, err)
			if s.readings != 1 || second.ID == first.ID || second.Grew != first.ID {
				t.Errorf("read %d times; %s is made of %q, not of %s", s.readings, second.ID, second.Grew, first.ID)
			}
			must(t, os.Chmod(path, 0o600))
			r.write("pi/one", "another\n")
			third, err := read()
			must(t, err)
			if ids, err := r.open(s).Store().IDs(); err != nil || len(ids) != 1 || ids[0] != third.ID {
				t.Errorf("%v are kept, %v", ids, err)
			}
		})
	}
}
