package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module example\n\ngo 1.26\n",
		"a.go":              "package a\n\nfunc A() int { return one }\n",
		"one_linux.go":      "package a\n\nconst one = 1\n",
		"one_windows.go":    "package a\n\nconst one = \"1\"\n",
		"a_windows_test.go": "package a\n\nfunc unused() { var x int }\n",
		"tagged.go":         "//go:build tagged\n\npackage a\n\nvar _ = nowhere.X\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		system, tags string
		want         int
	}{
		{"linux", "", 0},
		{"linux", "tagged", 1},
		{"windows", "", 3}, // of the package, of it with its tests, and of the test
	} {
		env := append(os.Environ(), "GOOS="+c.system, "CGO_ENABLED=0", "GOFLAGS=")
		if got, err := mistakes(dir, env, c.tags, "./..."); err != nil || got != c.want {
			t.Errorf("%s %s: %d, %v, not %d", c.system, c.tags, got, err, c.want)
		}
	}
	if got, err := mistakes(dir, os.Environ(), "", "./none"); err == nil && got == 0 {
		t.Error("nothing is wrong with a folder that is not there")
	}
}
