package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/sources"
)

// locked is a shop whose sessions have a folder beside them that it may not look into.
type locked struct{ *shop }

func (locked) Beside(_ context.Context, env sources.Env, _ sources.Found) []string {
	env.Deny(&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrPermission})
	return nil
}

// TestWhatIsBesideIsDenied: what a copy may lack is told of.
func TestWhatIsBesideIsDenied(t *testing.T) {
	r := newRig(t)
	r.write("one/a", "x")
	var told error
	l := Open(Options{
		Cache: r.cache, Home: r.home, Copies: filepath.Join(r.home, "kept"), Getenv: os.Getenv,
		Sources: []sources.Source{locked{&shop{name: "one"}}}, Warn: func(err error) { told = err },
	})
	t.Cleanup(l.Close)
	if c, err := l.Keep(t.Context(), Ref{"one", "a"}); err != nil || len(c.Files) != 1 || !errors.Is(told, fs.ErrPermission) {
		t.Error(c.Files, err, told)
	}
}
