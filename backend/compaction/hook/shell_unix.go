//go:build unix

package hook

import (
	"context"
	"os/exec"
	"syscall"
)

// shell runs a command in a process group of its own, so that what it starts ends with it.
func shell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command) // the user's own, from their settings
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}
