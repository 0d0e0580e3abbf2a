package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/sources"
)

const retentionLong = `Shows which agents delete their own sessions, after how many days by their settings, and which sessions go, the soonest
first. An agent deletes when it runs, so a session may be there longer than is said here. keep makes copies that stay.`

func (p *program) retentionCommand() *cobra.Command {
	limit := &number{kind: "count", value: 20}
	cmd := &cobra.Command{
		Use:               "retention",
		Short:             "Show what other agents will delete, and when",
		GroupID:           groupLook,
		Long:              retentionLong,
		Example:           "  palimpsest retention\n  palimpsest keep $(palimpsest retention --json | jq -r '.sessions[] | select(.kept == null) | .id')",
		Args:              takes(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := p.open()
			if err != nil {
				return err
			}
			told, err := b.Retention(cmd.Context(), backend.RetentionOptions{})
			if err != nil {
				return err
			}
			if p.json {
				return p.answer(told)
			}
			return p.retention(told, int(limit.value))
		},
	}
	cmd.Flags().Var(limit, "limit", "show so many sessions; 0 shows all (--json always does)")
	return cmd
}

func (p *program) retention(told backend.Retention, limit int) error {
	for _, a := range told.Agents {
		if a.Sessions == 0 { // most agents there are were never used on a machine
			continue
		}
		line := fmt.Sprintf("%s deletes nothing", a.Agent)
		if a.Days != nil {
			line = fmt.Sprintf("%s deletes what nobody used for %s", a.Agent, count(*a.Days, "day", "days"))
		}
		if a.Most != nil {
			line += fmt.Sprintf(", and of a project all but the newest %d", *a.Most)
		}
		if a.From == sources.RetentionDefault {
			line += ", its default"
		} else if a.File != nil {
			line += ", says " + oneLine(*a.File)
		}
		if err := p.say("%s: of %s %d go within a week, %d kept", line, count(a.Sessions, "session", "sessions"), a.Going, a.Kept); err != nil {
			return err
		}
	}
	if len(told.Sessions) == 0 {
		return p.say("No session is about to go")
	}
	if err := p.say("\n%-16s  %-16s  ID", "GOES", "KEPT"); err != nil {
		return err
	}
	for i, s := range told.Sessions {
		if limit > 0 && i == limit {
			return p.say("and %d more; --limit 0 shows all", len(told.Sessions)-limit)
		}
		kept := "-"
		if s.Kept != nil {
			kept = localTime(*s.Kept)
		}
		id := oneLine(s.ID)
		if s.Problem != nil {
			id += "  " + oneLine(*s.Problem)
		}
		if err := p.say("%-16s  %-16s  %s", localTime(s.GoesAt), kept, id); err != nil {
			return err
		}
	}
	return nil
}

const keepLong = `Copies the files of other agents' sessions, and of the sub-agents that these started, to kept/ in the home directory,
each file under the SHA-256 of what it holds; of a session in a database, a database with its rows alone. The copies
stay when the agents delete theirs, and are shown in their place then. Keeping again brings a copy up to date. Without
an ID, lists the copies there are; --drop removes them. A session whose own files are gone is forgotten with its copy:
it is out of the index, too.`

func (p *program) keepCommand() *cobra.Command {
	var drop, yes bool
	cmd := &cobra.Command{
		Use:     "keep [AGENT:ID...]",
		Short:   "Keep copies of sessions that other agents may delete",
		GroupID: groupChange,
		Long:    keepLong,
		Example: `  palimpsest keep claudecode:7d1c5a2e-0f1b-4a57-9d55-2f4c1f9f3a10
  palimpsest keep --drop claudecode:7d1c5a2e-0f1b-4a57-9d55-2f4c1f9f3a10`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: anySession,
		RunE: func(cmd *cobra.Command, args []string) error {
			if drop && len(args) == 0 {
				return badInput(cmd, "--drop needs the sessions whose copies are to go")
			}
			b, err := p.open()
			if err != nil {
				return err
			}
			for i, id := range args {
				full, err := b.ResolveAny(cmd.Context(), id)
				if err != nil && (drop || len(args) == 1) {
					return err
				}
				if err == nil {
					args[i] = full // else it is told beside what is kept: one that has gone keeps no other from being kept
				}
			}
			switch {
			case len(args) == 0:
				return p.copies(cmd.Context(), b)
			case drop && !yes && !p.terminal.in:
				return badInput(cmd, "removing copies needs --yes where nobody can be asked; nothing was removed")
			case drop:
				return p.dropCopies(cmd.Context(), b, args, yes)
			}
			return p.keep(cmd.Context(), b, args)
		},
	}
	cmd.Flags().BoolVar(&drop, "drop", false, "remove the copies")
	cmd.Flags().BoolVar(&yes, "yes", false, "don't ask")
	return cmd
}

func (p *program) keep(ctx context.Context, b *backend.Backend, ids []string) error {
	done, err := b.Keep(ctx, ids)
	if err != nil {
		return err
	}
	if p.json {
		err = p.answer(done)
	}
	failed, hints := 0, []string(nil)
	for _, one := range done {
		if one.Problem != nil {
			failed++
			p.err.print("palimpsest: %s\n", oneLine(one.Problem.Message))
			if hint := one.Problem.Hint; hint != "" && !slices.Contains(hints, hint) {
				hints = append(hints, hint)
				p.err.print("hint: %s\n", oneLine(hint))
			}
		} else if !p.json && err == nil {
			err = p.say("%s is kept, %s", one.ID, size(one.Bytes))
		}
	}
	if err == nil && failed > 0 {
		return &fault{err: fmt.Errorf("%s of %d could not be kept", count(failed, "session", "sessions"), len(done))}
	}
	return err
}

func (p *program) copies(ctx context.Context, b *backend.Backend) error {
	all, err := b.KeptCopies(ctx)
	if err != nil || p.json {
		if err == nil {
			err = p.answer(all)
		}
		return err
	}
	if len(all) == 0 {
		return p.say("No copies are kept")
	}
	for _, c := range all {
		state := "also there"
		switch {
		case c.EarlierOf != nil:
			state = "an earlier state"
		case !c.There:
			state = "gone, only this copy"
		}
		if err := p.say("%s  %8s  %-20s  %s", localTime(c.KeptAt), size(c.Bytes), state, oneLine(c.ID)); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) dropCopies(ctx context.Context, b *backend.Backend, ids []string, yes bool) error {
	if err := p.confirm(ctx, yes, fmt.Sprintf("Remove %s for good?", count(len(ids), "copy", "copies")), "nothing was removed"); err != nil {
		return err
	}
	done, err := b.DropCopies(ctx, ids)
	if err != nil {
		return err
	}
	dropped := make([]named, 0, len(done))
	for _, id := range done {
		dropped = append(dropped, named{id})
	}
	return p.tell(dropped, "%s removed", count(len(dropped), "copy", "copies"))
}
