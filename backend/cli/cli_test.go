package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"

	"palimpsest/backend"
	"palimpsest/backend/session"
	"palimpsest/backend/sources/all"
)

func TestMain(m *testing.M) {
	testscript.Main(leakChecked{m}, map[string]func(){"palimpsest": runMain, "hold": holdMain})
}

// leakChecked fails a run whose tests leave goroutines behind.
type leakChecked struct{ m *testing.M }

func (l leakChecked) Run() int {
	code := l.m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// runMain is the program without its window.
func runMain() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	backend.Version = "v1.2.3"
	code := Run(ctx, os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, Deps{
		Serve: serve, Keychain: testKeychain(), Sources: all.Open,
	})
	stop()
	os.Exit(code)
}

// serve is a server that says what it was asked for and serves nothing.
func serve(ctx context.Context, b *backend.Backend, opts ServeOptions) error {
	if strings.HasPrefix(opts.Listen, "0.0.0.0") {
		return errors.New("listening on " + opts.Listen + ": only this machine may ask")
	}
	opts.Announce("http://" + opts.Listen + "/")
	if err := os.WriteFile(b.Home()+"/ready", nil, 0o600); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

// holdMain takes a session's lock and keeps it until it is killed.
func holdMain() {
	home := os.Getenv("AGENT_HOME")
	if _, err := session.Open(home, session.Options{}).Lock(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := os.WriteFile(home+"/ready", nil, 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	<-time.After(time.Minute) // or until it is killed
}

// arrays are the members that hold arrays.
var arrays = map[string]bool{
	"records": true, "damage": true, "messages": true, "content": true, "repairs": true, "committed": true, "seqs": true,
	"summarize": true, "keep": true, "readFiles": true, "modifiedFiles": true, "missingHeadings": true, "notes": true,
}

func nullArray(value any) string {
	switch v := value.(type) {
	case nil:
		return "the document"
	case []any:
		for _, element := range v {
			if name := nullArray(element); element != nil && name != "" {
				return name
			}
		}
	case map[string]any:
		for name, member := range v {
			if member == nil && arrays[name] {
				return name
			}
			if found := nullArray(member); member != nil && found != "" {
				return found
			}
		}
	}
	return ""
}
