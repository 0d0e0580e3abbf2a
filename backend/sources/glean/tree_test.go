//go:build unix

package glean

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNothingElse: no name and no link leads out of a tree, and only files are opened.
func TestNothingElse(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	for path, text := range map[string]string{outside: "secret", filepath.Join(dir, "a"): "four"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"out": outside, "in": "a", "up": filepath.Join("..", "..")} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	tree, err := OpenTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	here, err := tree.Folder(".")
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	if names, err := here.Names(); err != nil || len(names) != 5 {
		t.Error(names, err)
	}
	for _, in := range []interface {
		ReadFile(name string, most int64) ([]byte, error)
	}{tree, here} {
		for _, name := range []string{"out", "up", "../secret", outside, "pipe", ".", "..", "missing"} {
			if data, err := in.ReadFile(name, 100); err == nil {
				t.Errorf("%s: %q", name, data)
			}
		}
		for _, name := range []string{"a", "in"} {
			if data, err := in.ReadFile(name, 4); err != nil || string(data) != "four" {
				t.Errorf("%s: %q, %v", name, data, err)
			}
		}
		_, err = in.ReadFile("a", 3)
		if large, is := errors.AsType[*LargeError](err); !is || large.Bytes != 4 {
			t.Error(err)
		}
	}
	if _, err := tree.ReadDir("up"); err == nil {
		t.Error("a directory outside was listed")
	}
	if entries, err := tree.ReadDir("."); err != nil || len(entries) != 5 {
		t.Error(entries, err)
	}
	if _, err := tree.ReadFile("missing", 1); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if name, ok := tree.Inside(filepath.Join(dir, "x", "y")); !ok || name != filepath.Join("x", "y") {
		t.Error(name)
	}
	if name, ok := tree.Inside(outside); ok {
		t.Error(name)
	}
	if !strings.HasSuffix(tree.Path("x", "y"), filepath.Join("x", "y")) {
		t.Error(tree.Path("x", "y"))
	}
}

// TestSub: what is in a directory is reached from there, and nothing above it.
func TestSub(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/c", "a/b", "a/d.json/x", "up"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := OpenTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for _, open := range []func(string) (directory, error){
		func(name string) (directory, error) { return tree.Sub(name) },
		func(name string) (directory, error) { return tree.Folder(name) },
	} {
		inside(t, dir, open)
	}
	sub, err := tree.Folder("a")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if names, err := sub.Names(); err != nil || strings.Join(names, " ") != "b c d.json" {
		t.Error(names, err)
	}
	if err := os.Symlink("b", filepath.Join(dir, "a", "link")); err != nil {
		t.Skip(err)
	}
	if !sub.IsLink("link") || sub.IsLink("b") || sub.IsLink("d.json") || sub.IsLink("missing") {
		t.Error("link is a link, the others are none")
	}
	if _, err := tree.Sub("up"); err == nil {
		t.Error("a file is no directory")
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	if pipe, err := tree.Folder("pipe"); err == nil { // and nobody waits for who writes to it
		if names, err := pipe.Names(); err == nil {
			t.Error(names, "are in a pipe")
		}
		_ = pipe.Close()
	}
}

// directory is a tree in another, or a folder.
type directory interface {
	ReadFile(name string, most int64) ([]byte, error)
	Path(name ...string) string
	Close() error
}

// inside reads what is in the directory a, and looks for what is not.
func inside(t *testing.T, dir string, open func(name string) (directory, error)) {
	t.Helper()
	sub, err := open("a")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if text, err := sub.ReadFile("b", 10); err != nil || string(text) != "a/b" || sub.Path("b") != filepath.Join(dir, "a", "b") {
		t.Error(text, err, sub.Path("b"))
	}
	if text, err := sub.ReadFile(filepath.Join("..", "up"), 10); err == nil {
		t.Errorf("%q is outside", text)
	}
	for _, name := range []string{"missing", ".."} {
		if _, err := open(name); err == nil {
			t.Errorf("%s is no directory of the tree", name)
		}
	}
}

// TestIsDir: a directory is one, and a link in the tree to one; nothing else is, nor what is outside.
func TestIsDir(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"in": filepath.Join("a", "b"), "out": t.TempDir()} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	tree, err := OpenTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for name, want := range map[string]bool{"a": true, "a/b": true, "in": true, ".": true, "out": false, "file": false, "missing": false, "..": false} {
		if got := tree.IsDir(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
