package cli

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const forgetLong = `Forgets sessions of other agents whose own files are gone, but which the index still has: no list, search or number
has them any more, and no file of the index or the cache a byte of them. That can't be undone. Should the files come
back, the session is found again.

One whose files are there would only be read again: delete it where its agent has it. Where a copy is kept, remove that
with keep --drop, which forgets the session, too.`

func (p *program) indexForgetCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:               "forget AGENT:ID...",
		Short:             "Forget sessions whose files are gone",
		Long:              forgetLong,
		Example:           "  palimpsest index forget claudecode:7d1c5a2e-0f1b-4a57-9d55-2f4c1f9f3a10",
		Args:              takes(1, math.MaxInt),
		ValidArgsFunction: anySession,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !yes && !p.terminal.in {
				return badInput(cmd, "forgetting needs --yes where nobody can be asked; nothing was forgotten")
			}
			b, err := p.open()
			if err != nil {
				return err
			}
			question := fmt.Sprintf("Forget %s for good?", count(len(args), "session", "sessions"))
			if err := p.confirm(cmd.Context(), yes, question, "nothing was forgotten"); err != nil {
				return err
			}
			return p.forget(cmd.Context(), b, args)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "don't ask")
	return cmd
}

func (p *program) forget(ctx context.Context, b *backend.Backend, ids []string) error {
	done, err := b.Forget(ctx, ids)
	if err != nil {
		return err
	}
	var failed []backend.Problem
	for _, one := range done {
		if one.Problem != nil {
			failed = append(failed, *one.Problem)
		}
	}
	if len(failed) == 1 && len(done) == 1 {
		return &fault{err: errors.New(failed[0].Message), code: failed[0].Code, hint: failed[0].Hint}
	}
	if p.json {
		err = p.answer(done)
	} else {
		err = p.say("%s forgotten", count(len(done)-len(failed), "session", "sessions"))
	}
	for _, problem := range failed {
		p.err.print("palimpsest: %s; %s\n", oneLine(problem.Message), oneLine(problem.Hint))
	}
	if err == nil && len(failed) > 0 {
		return fmt.Errorf("%s of %d could not be forgotten", count(len(failed), "session", "sessions"), len(done))
	}
	return err
}
