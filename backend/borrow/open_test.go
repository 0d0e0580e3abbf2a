package borrow

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
