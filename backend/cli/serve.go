package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// ServeOptions are what `serve` was asked for.
type ServeOptions struct {
	// Listen is the address, host and port; port 0 takes a free one.
	Listen string
	// Token is what requests have to bear. It is never empty.
	Token string
	// Announce is to be called once, when requests are answered, with the address of the page.
	Announce func(url string)
}

const serveLong = `Offers the HTTP API and, in a browser, the same page that the window shows, until Ctrl-C.

It listens on this machine only. Whoever knows the token can read and change every session. Without --token or
--token-file it is a new random one each time; it is printed once, with the address. A token in a file is seen by fewer
people than one on the command line.

To use the sessions of another machine, leave its server on loopback and bring it here through ssh:

  there   palimpsest serve --listen 127.0.0.1:7878
  here    ssh -N -L 7878:127.0.0.1:7878 there
          and open the address that the server printed in the browser here`

func (p *program) serveCommand() *cobra.Command {
	var opts ServeOptions
	var tokenFile string
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Offer the HTTP API and the page",
		GroupID: groupServe,
		Long:    serveLong,
		Example: `  palimpsest serve
  palimpsest serve --listen 127.0.0.1:0 --json
  palimpsest serve --token-file ~/.config/palimpsest-token`,
		Args:              takes(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, _, err := net.SplitHostPort(opts.Listen); err != nil {
				return badInput(cmd, "--listen is %q, not a host and a port such as 127.0.0.1:7878", opts.Listen)
			}
			if tokenFile != "" && opts.Token != "" {
				return badInput(cmd, "--token and --token-file can't both be given")
			}
			if tokenFile != "" {
				token, err := readToken(cmd, tokenFile)
				if err != nil {
					return err
				}
				opts.Token = token
			}
			if opts.Token == "" {
				opts.Token = rand.Text() + rand.Text()
			}
			return p.serve(cmd.Context(), opts)
		},
	}
	cmd.Flags().StringVar(&opts.Listen, "listen", "127.0.0.1:0", "host and port to listen on; port 0: any that is free")
	cmd.Flags().StringVar(&opts.Token, "token", "", "what requests have to bear (default a random one)")
	cmd.Flags().StringVar(&tokenFile, "token-file", "", "a file that holds the token")
	return cmd
}

func (p *program) serve(ctx context.Context, opts ServeOptions) error {
	b, err := p.openFor(true, nil)
	if err != nil {
		return err
	}
	// A server whose address nobody was told is of no use.
	serving, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	opts.Announce = func(url string) {
		if err := p.announce(url, opts.Token); err != nil {
			stop(err)
		}
	}
	err = p.deps.Serve(serving, b, opts)
	switch {
	case ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)):
		return nil // how it is meant to end
	case serving.Err() != nil:
		return context.Cause(serving)
	}
	return err
}

func readToken(cmd *cobra.Command, path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("reading the token: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", badInput(cmd, "the token file %q is empty", path)
	}
	return token, nil
}

// announce tells where the server is, at once: it is waited for.
func (p *program) announce(url, token string) error {
	type document struct {
		URL   string `json:"url"`
		Token string `json:"token"`
	}
	if err := p.tell(document{url, token}, "%s\ntoken: %s\nCtrl-C ends it.", url, token); err != nil {
		return err
	}
	if err := p.out.Flush(); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}
