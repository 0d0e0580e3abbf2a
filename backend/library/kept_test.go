package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/copies"
	"palimpsest/backend/sources"
)

// locked is a shop whose sessions have a folder beside them that it may not look into.
type locked struct{ *shop }

func (locked) Beside(_ context.Context, env sources.Env, _ sources.Found) []string {
	env.Deny(&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrPermission})
	return nil
}

// TestWhatIsBesideIsDenied: of a session of which a part can't be read nothing is kept, and the copy there was stays.
func TestWhatIsBesideIsDenied(t *testing.T) {
	r := newRig(t)
	r.write("one/a", "x")
	source := &shop{name: "one"}
	open := func(source sources.Source) *Library {
		l := Open(Options{
			Cache: r.cache, Home: r.home, Copies: filepath.Join(r.home, "kept"), Getenv: os.Getenv, Sources: []sources.Source{source},
		})
		t.Cleanup(l.Close)
		return l
	}
	ref := Ref{"one", "a"}
	refuses := func() {
		t.Helper()
		if _, err := open(locked{source}).Keep(t.Context(), ref); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "nothing was kept") {
			t.Error(err)
		}
	}
	refuses()
	plain := open(source)
	if _, err := plain.Copies().Copy("one", "a"); !errors.Is(err, copies.ErrNone) {
		t.Error(err)
	}
	before, err := plain.Keep(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	r.write("one/a", "x and more")
	refuses()
	if after, err := plain.Copies().Copy("one", "a"); err != nil || after.Bytes() != before.Bytes() {
		t.Error(after.Bytes(), before.Bytes(), err)
	}
}
