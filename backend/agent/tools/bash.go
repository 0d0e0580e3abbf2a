package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

//go:embed bash.md
var bashAbout string

type bashArguments struct {
	Command string `json:"command"`
	Timeout count  `json:"timeout"`
}

func (a bashArguments) target() (string, string) { return "", a.Command }

var bashTool = define("bash", bashAbout, false, schema(
	parameter{name: "command", kind: "string", about: "The command, for bash; on Windows, for PowerShell.", required: true},
	parameter{name: "timeout", kind: "integer", about: "Seconds after which it is ended, 3600 at most."},
), map[string]string{"cmd": "command", "script": "command"}, bash)

const timeoutMost = 3600 // seconds

// What ends a command, besides itself.
var (
	errTimeout = errors.New("it took too long")
	errFlood   = fmt.Errorf("it printed more than %d MiB", floodMost>>20)
)

func bash(j *job, a bashArguments) (Result, error) {
	dir, err := j.dir()
	if err != nil {
		return Result{}, err
	}
	timeout := j.workspace.Timeout
	if a.Timeout > 0 {
		timeout = time.Duration(a.Timeout.or(0, timeoutMost)) * time.Second
	}
	ctx, cancel := context.WithCancelCause(j.ctx)
	defer cancel(nil)
	ctx, stop := context.WithTimeoutCause(ctx, timeout, errTimeout)
	defer stop()
	command := shellCommand(a.Command)
	command.Dir = dir
	command.Env = environment(os.Environ(), dir, j.workspace.Secrets)
	out := &capture{stream: j.with.Stream, flooded: func() { cancel(errFlood) }}
	runErr := j.runProcess(ctx, command, out)
	return told(ctx, out.text(), runErr, timeout)
}

// told is the result of a command that has ended.
func told(ctx context.Context, output string, runErr error, timeout time.Duration) (Result, error) {
	r := Result{Text: output}
	note := ""
	var exit *exec.ExitError
	switch cause := context.Cause(ctx); {
	case runErr == nil:
	case errors.Is(cause, errTimeout):
		note = fmt.Sprintf("[ended after %s: %v]", timeout, cause)
	case errors.Is(cause, errFlood):
		note = fmt.Sprintf("[ended: %v]", cause)
	case cause != nil:
		note = "[stopped]"
	case errors.As(runErr, &exit) && exit.ExitCode() >= 0:
		note = fmt.Sprintf("[exit code %d]", exit.ExitCode())
	case errors.As(runErr, &exit):
		note = fmt.Sprintf("[%v]", exit)
	default:
		return Result{}, fmt.Errorf("the command could not be run: %w", runErr)
	}
	r.IsError = note != ""
	if r.Text == "" && note == "" {
		note = "[no output]"
	}
	if r.Text != "" && note != "" && !strings.HasSuffix(r.Text, "\n") {
		note = "\n" + note
	}
	r.Text += note
	return r, nil
}

// runProcess runs a command until it has ended, and everything that it started with it. The context ends it early.
func (s *Set) runProcess(ctx context.Context, command *exec.Cmd, out io.Writer) error {
	if ctx.Err() != nil {
		return context.Cause(ctx) // a short command could be through before anybody looks
	}
	reading, writing, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("making a pipe: %w", err)
	}
	defer reading.Close()
	command.Stdout, command.Stderr = writing, writing
	family, err := start(command)
	_ = writing.Close() // the command has its own end
	if err != nil {
		return err
	}
	defer family.close()
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(out, reading) // ends when nobody can write any more, or by closeAfter
	}()
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		family.end()
		select {
		case err = <-ended:
		case <-time.After(s.workspace.Grace):
			family.kill()
			err = <-ended
		}
		if err == nil {
			err = context.Cause(ctx) // it made good use of its grace; what is told is that it was ended
		}
	}
	s.finish(family, reading, read)
	return err
}

// finish ends what a command left behind, and waits until all that was printed is read. What has left the family and still
// holds the pipe is let go.
func (s *Set) finish(f *family, reading *os.File, read <-chan struct{}) {
	f.end()
	for _, next := range []func(){f.kill, func() { _ = reading.SetReadDeadline(time.Now()) }} { // a pipe always takes one
		select {
		case <-read:
			f.kill() // who let go of the pipe may still be there
			return
		case <-time.After(s.workspace.Grace):
			next()
		}
	}
	<-read
}

// environment is that of the program without its settings and keys, and with what makes programs talk to a reader that is no
// person: no pagers, no questions, no colours.
func environment(from []string, dir string, secrets []string) []string {
	kept := slices.DeleteFunc(slices.Clone(from), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return strings.HasPrefix(strings.ToUpper(name), "PALIMPSEST_") ||
			slices.ContainsFunc(secrets, func(secret string) bool { return strings.EqualFold(secret, name) })
	})
	return append(kept, "PWD="+dir, "TERM=dumb", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true")
}
