//go:build window

package window

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBeside runs a program without a window where one lies beside it, and where none does.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "palimpsest")
	build := exec.Command("go", "build", "-tags", "headless", "-o", program, ".")
	build.Dir = filepath.Join("..", "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}

	out, err := exec.Command(program).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "built without a window") {
		t.Errorf("alone it says %q (%v)", out, err)
	}

	opened := filepath.Join(dir, "opened")
	write(t, program+"-window", "#!/bin/sh\necho \"$#\" >'"+opened+"'\n")
	if err := os.Chmod(program+"-window", 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("opening the window: %v\n%s", err, out)
	}
	until(t, "the window is opened, without arguments", func() bool {
		said, _ := os.ReadFile(opened)
		return string(said) == "0\n"
	})
}
