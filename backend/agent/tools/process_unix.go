//go:build unix

package tools

import (
	"os/exec"
	"syscall"
)

// shellCommand runs a text in bash, or in sh where there is none.
func shellCommand(text string) *exec.Cmd {
	name := "sh"
	if path, err := exec.LookPath("bash"); err == nil {
		name = path
	}
	return exec.Command(name, "-c", text)
}

// family are a process and those that it started and that have not left its group.
type family struct{ group int }

// start runs a command in a session of its own: in a group that can be ended as a whole, and without a terminal that
// could be asked for a password.
func start(command *exec.Cmd) (*family, error) {
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		return nil, err //nolint:wrapcheck // the caller says what it is
	}
	return &family{group: command.Process.Pid}, nil
}

// end asks all of them to end. Both fail only where none of them is left.
func (f *family) end() { _ = syscall.Kill(-f.group, syscall.SIGTERM) }

// kill ends all of them.
func (f *family) kill() { _ = syscall.Kill(-f.group, syscall.SIGKILL) }

func (*family) close() {}
