// Package cli is the command line: a verb a file, each a thin layer over the facade of package backend.
//
// # Rules
//
// Standard output carries the result and nothing else. With --json that is exactly one JSON document, also when the
// verb fails; without, text for people. help and completion print text in either case.
//
// Standard error carries what went wrong. An error is one line, "palimpsest: " and a sentence that says what was being
// done and what is not lost, and below it "hint: " and what to do, if there is something. Problems in the settings and
// other warnings look the same and don't change the exit code. With --json the error is on standard output, as the
// document, unless half of another one is there already.
//
// Whatever a log, a name or a path may hold is printed for people only after [oneLine] or [manyLines] made it harmless
// to a terminal. JSON and its strings are left as they are.
//
// Nothing is asked but by purge and send, and by them only on a terminal.
package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/config"
	"palimpsest/backend/keys"
	"palimpsest/backend/sources"
)

// Exit codes.
const (
	ExitDone     = 0
	ExitFailed   = 1
	ExitBadInput = 2
	ExitNotFound = 3
	ExitBusy     = 4
	ExitStale    = 5
	ExitNoModel  = 6
	ExitOverflow = 7
)

// Streams are what a verb reads from and writes to. Nothing but files is ever taken for a terminal.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Deps are what verbs need from packages that this one does not know.
type Deps struct {
	// Serve offers the HTTP API until the context is done. Without it there is no verb serve.
	Serve func(ctx context.Context, b *backend.Backend, opts ServeOptions) error
	// Keychain keeps keys; may be nil.
	Keychain keys.Keychain
	// Sources returns the other agents whose sessions are shown, and what lets go of them. Without it there are none.
	Sources func() (list []sources.Source, release func() error)
}

// Run runs the verb that args name, without the name of the program, and returns the exit code. A context that is
// cancelled ends it.
func Run(ctx context.Context, args []string, streams Streams, deps Deps) int {
	p := &program{
		in: streams.In, out: bufio.NewWriter(streams.Out), err: &notices{w: streams.Err}, deps: deps,
		terminal: terminalOf(streams),
	}
	root := p.rootCommand() //nolint:contextcheck // verbs get it from cobra
	// Never nil, for which cobra would take the process's own.
	root.SetArgs(withWords(root, append([]string{}, args...)))
	err := p.execute(ctx, root)
	for _, b := range p.opened {
		b.Close()
	}
	if flushErr := p.out.Flush(); err == nil && flushErr != nil {
		err = fmt.Errorf("writing the answer: %w", flushErr)
	}
	return p.finish(ctx, args, err)
}

// execute turns a panic into an error, so that what is open is closed, and who wants JSON gets that.
func (p *program) execute(ctx context.Context, root *cobra.Command) (err error) {
	defer func() {
		if r := recover(); r != nil {
			p.err.print("%s\n", debug.Stack())
			err = fmt.Errorf("a mistake in the program: %v", r)
		}
	}()
	return root.ExecuteContext(ctx) //nolint:wrapcheck // it is that of the verb
}

// program is one run of a verb.
type program struct {
	in       io.Reader
	out      *bufio.Writer
	err      *notices
	deps     Deps
	terminal terminal

	json bool
	wait wait
	// opened are to be closed at the end.
	opened []*backend.Backend
	// answering is set once a JSON document has begun: no other may follow.
	answering bool
}

// open opens the backend for one verb.
func (p *program) open() (*backend.Backend, error) { return p.openFor(false, nil) }

// openFor opens the backend for a verb or, resident, for a door that stays, and tells of what is wrong with the settings. fails is why
// the cache could not be written to by one that was opened before, nil if none was.
func (p *program) openFor(resident bool, fails error) (*backend.Backend, error) {
	opts := backend.Options{
		Wait: p.wait.limit(), CreatedBy: "cli", Resident: resident, Keychain: p.deps.Keychain, CacheFails: fails,
		Warn: p.warn,
	}
	if p.deps.Sources != nil {
		opts.Sources, opts.Release = p.deps.Sources()
	}
	b, err := backend.Open(opts)
	if err != nil {
		return nil, err
	}
	p.opened = append(p.opened, b)
	_, problems := b.Settings()
	for _, problem := range problems {
		p.err.print("palimpsest: %s\n", oneLine(settingsProblem(problem)))
	}
	return b, nil
}

// warn tells of what went wrong without being a failure.
func (p *program) warn(err error) { p.err.print("palimpsest: warning: %s\n", oneLine(err.Error())) }

// settingsProblem names the file without its directory: there is only one.
func settingsProblem(problem config.Problem) string {
	text := problem.Message
	if problem.Hint != "" {
		text += "; " + problem.Hint
	}
	switch {
	case problem.Path == "":
		return text
	case problem.Line == 0:
		return config.FileName + ": " + text
	}
	return fmt.Sprintf("%s line %d: %s", config.FileName, problem.Line, text)
}

// notices is standard error: warnings may come from several goroutines at once.
type notices struct {
	mu sync.Mutex
	w  io.Writer
}

func (n *notices) print(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	fmt.Fprintf(n.w, format, args...)
}

// wait is the flag --wait.
type wait time.Duration

// limit is the flag as the facade has it: not to wait is negative there, since 0 is the default.
func (w *wait) limit() time.Duration {
	if *w == 0 {
		return -1
	}
	return time.Duration(*w)
}

func (w *wait) String() string { return time.Duration(*w).String() }
func (w *wait) Type() string   { return "duration" }

func (w *wait) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New("not a duration such as 10s, 2m or 0")
	}
	*w = wait(d)
	return nil
}
