package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/record"
)

// takes checks the number of arguments.
func takes(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return badInput(cmd, "%s: an argument is missing; usage: %s", cmd.Name(), cmd.UseLine())
		case len(args) > most:
			return badInput(cmd, "%s: %q is one argument too many; usage: %s", cmd.Name(), args[most], cmd.UseLine())
		}
		return nil
	}
}

// run is what cobra calls for a verb, and task what is to be done with the session that its first argument names.
type (
	run  = func(cmd *cobra.Command, args []string) error
	task = func(cmd *cobra.Command, b *backend.Backend, id string) error
)

// onSession makes a verb of a task.
func (p *program) onSession(do task) run {
	return p.onResolved((*backend.Backend).ResolveID, do)
}

// onAny is onSession for a task that only reads: a session of another agent will do, and is read first.
func (p *program) onAny(do task) run {
	return p.onResolved((*backend.Backend).ResolveAny, func(cmd *cobra.Command, b *backend.Backend, id string) error {
		if err := b.Prepare(cmd.Context(), id); err != nil {
			return err
		}
		return do(cmd, b, id)
	})
}

// onTrashed is onSession for a session in the trash.
func (p *program) onTrashed(do task) run {
	return p.onResolved((*backend.Backend).ResolveTrashed, do)
}

func (p *program) onResolved(resolve func(*backend.Backend, context.Context, string) (string, error), do task) run {
	return func(cmd *cobra.Command, args []string) error {
		b, err := p.open()
		if err != nil {
			return err
		}
		id, err := resolve(b, cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return do(cmd, b, id)
	}
}

// number is a flag that holds a whole number from least on; 0 if it is not given.
type number struct {
	value, least int64
	kind         string
}

func (n *number) String() string { return strconv.FormatInt(n.value, 10) }
func (n *number) Type() string   { return n.kind }

func (n *number) Set(text string) error {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value < n.least || value > record.MaxSeq {
		return fmt.Errorf("not a whole number from %d on", n.least)
	}
	n.value = value
	return nil
}

// seqFlag adds a flag that names a record.
func seqFlag(cmd *cobra.Command, name, usage string) *number {
	n := &number{least: 1, kind: "seq"}
	cmd.Flags().Var(n, name, usage)
	return n
}
