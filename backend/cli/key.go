package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"palimpsest/backend"
)

const keyLong = `Keeps the key of a server in the system's keychain, for the address that config.yaml has for it now and for no
other, or forgets it. It is never written to a file.

A key in the environment comes before it: PALIMPSEST_API_KEY for the server of base_url, PALIMPSEST_API_KEY_NAME for the
provider of that name.`

func (p *program) keyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:               "key",
		Short:             "Keep a server's key in the system's keychain",
		GroupID:           groupOther,
		Long:              keyLong,
		Example:           "  palimpsest key set --provider work\n  palimpsest key forget",
		Args:              cobra.ArbitraryArgs, // key says itself what is missing
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return badInput(cmd, "key takes set or forget") // and not what may be a key
			}
			if p.json {
				return badInput(cmd, "set or forget is missing")
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(p.keySetCommand(), p.keyForgetCommand())
	return cmd
}

func (p *program) keySetCommand() *cobra.Command {
	var place backend.KeyPlace
	cmd := &cobra.Command{
		Use:     "set",
		Short:   "Enter a key, on the terminal without showing it, or from standard input",
		Long:    "Reads a key from the terminal, without showing it, or the first line of standard input, and keeps it.\n\n" + keyLong,
		Example: "  palimpsest key set --provider work\n  pass show openai | palimpsest key set",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 { // which the shell has written down by now, so it is not repeated at least
				return badInput(cmd, "a key is not given as an argument: it is read from the terminal or standard input")
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := p.open()
			if err != nil {
				return err
			}
			key, err := p.secret(cmd.Context(), "Key: ")
			if err != nil {
				return err
			}
			if _, err := b.SetKey(place, key); err != nil {
				return err
			}
			return p.keyState(b, place, "the key is kept for")
		},
	}
	cmd.Flags().StringVar(&place.Provider, "provider", "", "a server by its name in config.yaml")
	return cmd
}

func (p *program) keyForgetCommand() *cobra.Command {
	var place backend.KeyPlace
	cmd := &cobra.Command{
		Use:               "forget",
		Short:             "Remove a key from the keychain",
		Long:              "Removes the key of a server from the keychain. One in the environment stays there.",
		Example:           "  palimpsest key forget --provider work",
		Args:              takes(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			b, err := p.open()
			if err != nil {
				return err
			}
			if _, err := b.ForgetKey(place); err != nil {
				return err
			}
			return p.keyState(b, place, "no key is kept for")
		},
	}
	cmd.Flags().StringVar(&place.Provider, "provider", "", "a server by its name in config.yaml")
	return cmd
}

// keyState tells where a key is now.
func (p *program) keyState(b *backend.Backend, place backend.KeyPlace, text string) error {
	state, err := b.KeyState(place)
	if err != nil {
		return err
	}
	return p.tell(state, "%s %s", text, oneLine(state.BaseURL))
}

// secret reads a line that nobody sees.
func (p *program) secret(ctx context.Context, prompt string) (string, error) {
	if in, ok := p.in.(*os.File); ok && p.terminal.in {
		p.err.print("%s", prompt)
		text, err := term.ReadPassword(int(in.Fd()))
		p.err.print("\n")
		if err != nil {
			return "", fmt.Errorf("reading the key: %w", err)
		}
		return string(text), nil
	}
	in, done := interruptible(ctx, io.LimitReader(p.in, maxSecret))
	defer done()
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the key: %w", err)
	}
	return strings.TrimSpace(line), nil
}

const maxSecret = 64 << 10
