package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/session"
)

// fault is an error about which the command line knows more than the facade does.
type fault struct {
	err error
	// code and hint replace the facade's if they are not empty.
	code backend.Code
	hint string
	// committed are the records that are in the log all the same.
	committed []int64
}

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

// badInput is an error in what the user wrote.
func badInput(cmd *cobra.Command, format string, args ...any) error {
	return &fault{
		err: fmt.Errorf(format, args...), code: backend.CodeBadInput,
		hint: cmd.CommandPath() + " --help explains how it is used",
	}
}

// aboutRecord gives an error of a verb that was asked for a record of a session that is there the fitting hint.
func aboutRecord(err error, id string) error {
	if errors.Is(err, session.ErrNotFound) {
		return &fault{err: err, hint: "palimpsest show " + id + " shows the records there are"}
	}
	return err
}

// errDamaged ends a check that found damage. The report has said so.
var errDamaged = errors.New("damaged")

// failure is the JSON document of an error.
type failure struct {
	Error     backend.Problem `json:"error"`
	Committed []int64         `json:"committed,omitempty"`
}

// finish reports an error, if there is one, and returns the exit code.
func (p *program) finish(ctx context.Context, args []string, err error) int {
	if err == nil {
		return ExitDone
	}
	if errors.Is(err, errDamaged) {
		return ExitFailed
	}
	report := p.failureOf(ctx, err)
	// A flag that can't be understood may stand before --json.
	if (p.json || asksForJSON(args)) && !p.answering {
		if p.answer(report) == nil && p.out.Flush() == nil {
			return exitOf(report.Error.Code)
		}
	}
	p.err.print("palimpsest: %s\n", oneLine(report.Error.Message))
	if report.Error.Hint != "" {
		p.err.print("hint: %s\n", oneLine(report.Error.Hint))
	}
	return exitOf(report.Error.Code)
}

func (p *program) failureOf(ctx context.Context, err error) failure {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = fmt.Errorf("interrupted: %w", err)
	}
	report := failure{Error: backend.ProblemOf(err)}
	var f *fault
	if !errors.As(err, &f) {
		return report
	}
	if f.code != "" {
		report.Error.Code = f.code
	}
	if f.hint != "" {
		report.Error.Hint = f.hint
	}
	report.Committed = f.committed
	return report
}

func exitOf(code backend.Code) int {
	switch code {
	case backend.CodeInvalidID, backend.CodeBadInput:
		return ExitBadInput
	case backend.CodeNotFound:
		return ExitNotFound
	case backend.CodeBusy:
		return ExitBusy
	case backend.CodeStale:
		return ExitStale
	case backend.CodeNoModel:
		return ExitNoModel
	case backend.CodeOverflow:
		return ExitOverflow
	case backend.CodeFailed, backend.CodeRefused:
	}
	return ExitFailed
}

// asksForJSON looks for --json where parsing the flags may have stopped before it.
func asksForJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.ContainsFunc(args, func(arg string) bool {
		value, given := strings.CutPrefix(arg, "--json=")
		on, err := strconv.ParseBool(value)
		return arg == "--json" || given && err == nil && on
	})
}
