package hook

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// shell runs a command as the command prompt would. What it starts ends with it.
func shell(ctx context.Context, command string) *exec.Cmd {
	prompt := os.Getenv("COMSPEC")
	if prompt == "" {
		prompt = "cmd.exe"
	}
	cmd := exec.CommandContext(ctx, prompt)
	// As it was written: the prompt has quoting rules of its own.
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `/S /C "` + command + `"`, HideWindow: true}
	cmd.Cancel = func() error {
		kill := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)) // which also runs when ctx is done
		if kill.Run() == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
	return cmd
}
