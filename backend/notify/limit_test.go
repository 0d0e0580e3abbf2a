package notify

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestLimit: that the system watches no more is told from other failures, and what to do is said.
func TestLimit(t *testing.T) {
	for _, err := range []error{nil, fs.ErrNotExist, fs.ErrPermission, errors.New("another")} {
		if got := Limit(err); got != "" {
			t.Errorf("%v is taken for a limit: %s", err, got)
		}
	}
	w, err := Limited(1)
	if err != nil {
		t.Skip(err)
	}
	defer w.Close()
	if err := w.Add(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{"max_user_watches=524288": w.Add(t.TempDir()), "max_user_instances=1024": fmt.Errorf("wrapped: %w", syscall.EMFILE)} {
		if got := Limit(err); got == "" || runtime.GOOS == "linux" && !strings.Contains(got, "sudo sysctl fs.inotify."+name) {
			t.Errorf("%v: %s", err, got)
		}
	}
}
