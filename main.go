// Palimpsest shows what an AI agent still remembers of a conversation, and what it forgot.
//
// Without arguments it opens the window; with a verb it is the command line (package cli). Built with the tag headless it
// has no window, and needs neither GTK nor cgo.
package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"palimpsest/backend"
	"palimpsest/backend/cli"
	"palimpsest/backend/server"
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

func window(page fs.FS) error {
	if openWindow == nil {
		return fmt.Errorf("this program was built without a window")
	}
	return openWindow(page)
}

func verb(page fs.FS, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first Ctrl-C ends things in order; a second one ends the program.
	context.AfterFunc(ctx, stop)
	return cli.Run(ctx, args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, cli.Deps{
		Serve: func(ctx context.Context, b *backend.Backend, opts cli.ServeOptions) error {
			defer b.Close()
			return server.New(b, page, nil).ListenAndServe(ctx, server.Options(opts))
		},
	})
}
