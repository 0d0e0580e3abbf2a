package desktop

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// startAgain becomes the same program with more settings, under the same process id: a shell or a service manager that
// waits for it goes on waiting. Connections to the desktop close on the way, and with them the blank window.
func startAgain(more []setting) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	for _, s := range more {
		if err := os.Setenv(s.name, s.value); err != nil {
			return fmt.Errorf("setting %s: %w", s.name, err)
		}
	}
	if err := syscall.Exec(exe, os.Args, os.Environ()); err != nil {
		return fmt.Errorf("running %s: %w", exe, err)
	}
	return nil
}

// endWebKit ends what a blank window leaves behind, in this program or in the one that it was before: exec keeps
// children, and a process that hangs does not notice that its window is gone. While there is a window it would be too
// soon: WebKit gives up without its processes.
func endWebKit() {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		pids, err := os.ReadFile(list)
		if err != nil {
			continue // a thread that has ended
		}
		for pid := range strings.FieldsSeq(string(pids)) {
			name, err := os.ReadFile("/proc/" + pid + "/comm")
			if err != nil || !strings.HasPrefix(string(name), "WebKit") {
				continue
			}
			if id, err := strconv.Atoi(pid); err == nil {
				_ = syscall.Kill(id, syscall.SIGKILL) // fails only for one that has ended
				_, _ = syscall.Wait4(id, nil, 0, nil) // or it stays as a zombie
			}
		}
	}
}
