package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/compaction"
)

const ledgerLong = `Lists the compactions of all sessions, yours and those of other agents, the newest first: when, the session, which of
its compactions it is, who asked for it, tokens before and after, how many messages it took out of the context, and what
became of it. It first brings the index up to date; --no-scan does not wait for that. A fork has the compactions of what
it was made from as well: as a copy, which counts there.

--facts reads the sessions, too, and tells how many facts each summary kept of what it replaced: sentences of the user's
with must, never, always, prefer or don't, files, addresses, names from programs, errors, commands that do
more than look, commits, numbers with units.`

// triggers are those that are known; a newer version may have written others.
var triggers = []string{compaction.TriggerManual, compaction.TriggerThreshold, compaction.TriggerOverflow, "unknown"}

func (p *program) ledgerCommand() *cobra.Command {
	var opts backend.LedgerOptions
	var noScan bool
	least, limit := &number{kind: "count"}, &number{kind: "count"}
	cmd := &cobra.Command{
		Use:     "ledger",
		Short:   "List all compactions of all sessions, newest first",
		GroupID: groupLook,
		Long:    ledgerLong,
		Example: `  palimpsest ledger --min 5
  palimpsest ledger --facts --limit 20
  palimpsest ledger --agent claudecode --json | jq '.entries[].tokensBefore'`,
		Args:              takes(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := p.openScanned(cmd, noScan, false)
			if err != nil {
				return err
			}
			opts.Min, opts.Limit = int(least.value), int(limit.value)
			if opts.Session != "" {
				if opts.Session, err = b.ResolveSearched(cmd.Context(), opts.Session); err != nil {
					return err
				}
			}
			told, err := b.Ledger(cmd.Context(), opts)
			if err != nil {
				return err
			}
			if told.Total == 0 && opts.Trigger != "" && !slices.Contains(triggers, opts.Trigger) {
				return badInput(cmd, "ledger: --trigger %q is not %s", opts.Trigger, strings.Join(triggers, ", "))
			}
			if p.json {
				return p.answer(told)
			}
			if err := p.ledgerText(b, &told, opts.Facts); err != nil {
				return err
			}
			return p.unread(cmd, b)
		},
	}
	cmd.Flags().StringVar(&opts.Agent, "agent", "", "only those of this agent; palimpsest: only your own")
	cmd.Flags().StringVar(&opts.Project, "project", "", "only those of sessions that worked in this folder")
	cmd.Flags().StringVar(&opts.Model, "model", "", "only those by this model or, where nothing says which wrote one, of a session that had it then")
	cmd.Flags().StringVar(&opts.Trigger, "trigger", "", "only manual, threshold, overflow or unknown ones")
	cmd.Flags().StringVar(&opts.Session, "session", "", "only those of this session")
	registerCompletion(cmd, "trigger", triggers)
	cmd.Flags().Var(least, "min", "only those of sessions that were compacted at least so often, with what they copied")
	cmd.Flags().Var(limit, "limit", "at most so many; 0: 200")
	cmd.Flags().BoolVar(&opts.Facts, "facts", false, "tell what each kept of what it replaced; takes longer")
	cmd.Flags().BoolVar(&noScan, "no-scan", false, "don't bring the index up to date first")
	return cmd
}

func (p *program) ledgerText(b *backend.Backend, l *backend.Ledger, facts bool) error {
	if len(l.Entries) == 0 {
		return p.say("no compactions")
	}
	ids := make([]string, len(l.Entries))
	for i := range l.Entries {
		ids[i] = l.Entries[i].ID
	}
	const row, others = "%-16s  %-*s  %8s  %-9s  %9s  %9s  %8s  %-8s  ", 83
	ids, wide := p.idsIn(b, ids, others)
	head := fmt.Sprintf(row, "TIME", wide, "ID", "OF ALL", "TRIGGER", "BEFORE", "AFTER", "MESSAGES", "STATE")
	if facts {
		head += fmt.Sprintf("%-9s  ", "KEPT")
	}
	if err := p.say("%sTITLE", head); err != nil {
		return err
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		at := "-"
		if e.Time != nil {
			at = localTime(*e.Time)
		}
		which := fmt.Sprintf("%d/%d", e.OfSession, e.InSession)
		if e.Copied {
			which = "copy " + which
		}
		line := fmt.Sprintf(row, at, wide, ids[i], which, oneLine(e.Trigger),
			tokenCount(e.TokensBefore), tokenCount(e.TokensAfter), orDash(e.Messages), inAWord(e.State))
		if facts {
			line += fmt.Sprintf("%-9s  ", keptOf(e.Fidelity))
		}
		if err := p.say("%s%s", line, p.fit(oneLine(orEmpty(e.Title)), line)); err != nil {
			return err
		}
	}
	if l.Copied > 0 {
		if err := p.say("copies, which count where they were made: %d of %d", l.Copied, l.Total); err != nil {
			return err
		}
	}
	if l.Cursor != nil {
		return p.say("%d of %d; --limit shows more", len(l.Entries), l.Total)
	}
	return nil
}

// keptOf is how many facts a summary kept, for a column.
func keptOf(f *compaction.Fidelity) string {
	if f == nil {
		return "-"
	}
	return fmt.Sprintf("%d/%d", f.Kept, f.Total)
}

// inAWord is what became of a compaction, for a column.
func inAWord(s backend.State) string {
	switch s {
	case backend.StateInForce:
		return "in force"
	case backend.StateReverted:
		return "undone"
	case backend.StateOffPath:
		return "left"
	default:
		return string(s)
	}
}
