package sourcetest

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/backend/sources"
)

// Damaged changes a byte somewhere in the files of a home directory, or cuts one, again and again: what is found and read then is a
// result or a problem, never a panic or an end that does not come, and the files stay as they are.
func Damaged(t *testing.T, s sources.Source, home string, variables ...string) {
	t.Helper()
	var files []string
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	env := Env(t, home, variables...)
	rapid.Check(t, func(r *rapid.T) {
		path := rapid.SampledFrom(files).Draw(r, "file")
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(whole) == 0 {
			return
		}
		text := append([]byte(nil), whole...)
		at := rapid.IntRange(0, len(text)-1).Draw(r, "at")
		if rapid.Bool().Draw(r, "cut") {
			text = text[:at]
		} else {
			text[at] = rapid.SampledFrom([]byte("\x00\xff\"{}[]:,\n0x\\")).Draw(r, "byte")
		}
		rewrite(t, path, text)
		defer rewrite(t, path, whole)
		Untouched(t, home, func() { readAll(t, s, env) })
	})
}

func rewrite(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// readAll finds and reads everything there is.
func readAll(t *testing.T, s sources.Source, env sources.Env) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var found []sources.Found
	if err := s.Find(ctx, env, func(f sources.Found) error { found = append(found, f); return nil }); err != nil {
		t.Error(err)
	}
	for _, f := range found {
		r := Read(t, s, env, f)
		r.Context(t)
	}
	if ctx.Err() != nil {
		t.Error("no end of it")
	}
}
