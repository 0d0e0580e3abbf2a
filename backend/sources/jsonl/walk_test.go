package jsonl

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"palimpsest/backend/sources"
)

// TestWalk: the files come in the order of their names, as deep as is wanted, and links are not followed.
func TestWalk(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a.jsonl", "b/c/d.jsonl", "b/x.jsonl", "b/y.txt", "b/c/e/deep.jsonl", "c.jsonl", "d.jsonl/in.jsonl", "z/a.jsonl"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "b"), filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	for depth, want := range [][]string{
		{"a.jsonl", "c.jsonl"},
		{"a.jsonl", "b/x.jsonl", "c.jsonl", "d.jsonl/in.jsonl", "z/a.jsonl"},
		{"a.jsonl", "b/c/d.jsonl", "b/x.jsonl", "c.jsonl", "d.jsonl/in.jsonl", "z/a.jsonl"},
	} {
		var got []string
		for path := range Walk(sources.Env{}, root, depth, ".jsonl") {
			name, err := filepath.Rel(root, path)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.ToSlash(name))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d deep: %q, not %q", depth, got, want)
		}
	}
	for path := range Walk(sources.Env{}, filepath.Join(root, "link"), 0, "") {
		if filepath.Base(path) != "x.jsonl" {
			t.Error(fmt.Sprint("first ", path))
		}
		break
	}
}
