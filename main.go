// Palimpsest shows what an AI agent still remembers of a conversation, and what it forgot.
//
// Without arguments it opens the window; with a verb it is the command line (package cli). Built with the tag headless it
// has no window of its own, and needs neither GTK nor cgo.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"palimpsest/backend"
	"palimpsest/backend/cli"
	"palimpsest/backend/keys"
	"palimpsest/backend/server"
	"palimpsest/backend/sources/all"
)

//go:embed all:frontend/dist
var dist embed.FS

// The page's commands: the menus of the window are made from the same list.
//
//go:embed frontend/src/lib/commands/commands.json
var commands []byte

// openWindow shows the window until it is closed. app.go sets it in programs that have one.
var openWindow func(page fs.FS) error

func main() {
	page, err := fs.Sub(dist, "frontend/dist")
	if err != nil {
		panic("palimpsest: the page is not where it was embedded: " + err.Error())
	}
	if len(os.Args) > 1 {
		os.Exit(verb(page, os.Args[1:]))
	}
	if err := window(page); err != nil {
		fmt.Fprintf(os.Stderr, "palimpsest: %v\nhint: palimpsest serve offers the same page to a browser; palimpsest help lists the verbs\n", err)
		os.Exit(cli.ExitFailed)
	}
}

// window shows this program's own window or, where this program is for shells only, that of the one beside it.
func window(page fs.FS) error {
	if openWindow != nil {
		return openWindow(page)
	}
	return windowBeside()
}

// windowBeside starts the program with the window. On Windows they are two, since one that has a window gives a shell
// neither its output nor its exit code.
func windowBeside() error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the window's program: %w", err)
	}
	beside := filepath.Join(filepath.Dir(self), "palimpsest-window"+filepath.Ext(self))
	err = exec.Command(beside).Start()
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("this program was built without a window")
	}
	if err != nil {
		return fmt.Errorf("opening the window: %w", err)
	}
	return nil
}

func verb(page fs.FS, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first Ctrl-C ends things in order; a second one ends the program.
	context.AfterFunc(ctx, stop)
	return cli.Run(ctx, args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, cli.Deps{
		Keychain: keys.System(),
		Sources:  all.Open,
		Serve: func(ctx context.Context, b *backend.Backend, opts cli.ServeOptions) error {
			defer b.Close()
			return server.New(b, page, nil).ListenAndServe(ctx, server.Options(opts))
		},
	})
}
