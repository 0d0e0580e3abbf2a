package borrow

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOwnerMayDoAnything: while a file is read, its owner writes to it, replaces it and removes it.
func TestOwnerMayDoAnything(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "log"), filepath.Join(dir, "other")
	must(t, os.WriteFile(path, []byte("one"), 0o600))
	file, err := Open(path)
	must(t, err)
	defer file.Close()

	must(t, os.WriteFile(other, []byte("new"), 0o600))
	must(t, os.Rename(path, path+".old"))
	must(t, os.Rename(other, path))
	must(t, os.Remove(path))
	if got, err := io.ReadAll(file); string(got) != "one" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
	must(t, os.Remove(path+".old"))
}

func TestNotThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none")
	_, err := Open(path)
	var told *fs.PathError
	if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &told) || told.Path != path {
		t.Errorf("%v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestReadFile: all of a file is read, and what is none is told of.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, text := range []string{"", "a", strings.Repeat("long ", 1<<18)} {
		must(t, os.WriteFile(path, []byte(text), 0o600))
		if got, err := ReadFile(path); string(got) != text || err != nil {
			t.Errorf("%d bytes, not %d, %v", len(got), len(text), err)
		}
	}
	if _, err := ReadFile(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if got, err := ReadFile(dir); err == nil {
		t.Errorf("%q is in a folder", got)
	}
}
