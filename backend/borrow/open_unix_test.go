//go:build unix

package borrow

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestAPipeIsNotWaitedFor: what has become a pipe is opened at once, and nothing is in it.
func TestAPipeIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	file, err := Open(path)
	must(t, err)
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Error(info, err)
	}
	if text, err := io.ReadAll(file); len(text) > 0 || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := ReadFile(path); err == nil {
		t.Errorf("%q is in a pipe", text)
	}
}
