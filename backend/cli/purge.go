package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const purgeLong = `Deletes a session in the trash for good or, without ID, all of them. This is the one thing that can't be undone.

On a terminal it asks first, unless --yes is given. Where nobody can be asked, a session that is named is deleted at
once, and emptying the whole trash needs --yes.`

func (p *program) purgeCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "purge [ID]",
		Short:   "Delete sessions in the trash for good",
		GroupID: groupLife,
		Long:    purgeLong,
		Example: `  palimpsest list --trash
  palimpsest purge 01JD9ZK3
  palimpsest purge --yes`,
		Args:              takes(0, 1),
		ValidArgsFunction: trashedSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return p.onTrashed(func(cmd *cobra.Command, b *backend.Backend, id string) error {
					return p.purge(cmd.Context(), b, id, yes)
				})(cmd, args)
			}
			if !yes && !p.terminal.in {
				return badInput(cmd, "emptying the trash needs --yes where nobody can be asked; nothing was deleted")
			}
			b, err := p.open()
			if err != nil {
				return err
			}
			return p.purgeAll(cmd.Context(), b, yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "don't ask")
	return cmd
}

func (p *program) purge(ctx context.Context, b *backend.Backend, id string, yes bool) error {
	if err := p.confirm(ctx, yes, "Delete session "+id+" for good?", nothingDeleted); err != nil {
		return err
	}
	if err := b.Purge(id); err != nil {
		return err
	}
	return p.tell(named{id}, "%s is deleted", id)
}

func (p *program) purgeAll(ctx context.Context, b *backend.Backend, yes bool) error {
	trashed, err := b.List(ctx, backend.ListOptions{Trash: true, Quick: true})
	if err != nil {
		return err
	}
	if len(trashed) > 0 {
		question := fmt.Sprintf("Delete %s in the trash for good?", count(len(trashed), "session", "sessions"))
		if err := p.confirm(ctx, yes, question, nothingDeleted); err != nil {
			return err
		}
	}
	deleted := []named{}
	var failed []error
	for _, s := range trashed {
		if err := ctx.Err(); err != nil {
			failed = append(failed, err)
			break
		}
		if err := b.Purge(s.ID); err != nil {
			failed = append(failed, err)
			continue
		}
		deleted = append(deleted, named{s.ID})
	}
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("emptying the trash (%d of %d sessions are deleted): %w", len(deleted), len(trashed), err)
	}
	return p.tell(deleted, "%s deleted", count(len(deleted), "session", "sessions"))
}

const nothingDeleted = "nothing was deleted"

// confirm asks, if there is somebody to ask. Unchanged says what holds if the answer is no.
func (p *program) confirm(ctx context.Context, yes bool, question, unchanged string) error {
	if yes || !p.terminal.in {
		return nil
	}
	p.err.print("%s [y/N] ", question)
	in, done := interruptible(ctx, p.in)
	defer done()
	reply, err := bufio.NewReader(in).ReadString('\n')
	if ctx.Err() != nil {
		return fmt.Errorf("asking (%s): %w", unchanged, ctx.Err())
	}
	switch strings.ToLower(strings.TrimSpace(reply)) {
	case "y", "yes":
		return nil
	}
	if err != nil {
		p.err.print("\n")
	}
	return &fault{err: errors.New(unchanged), code: backend.CodeFailed, hint: "answer y, or give --yes"}
}
