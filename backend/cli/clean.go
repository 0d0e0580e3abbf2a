package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const cleanLong = `Moves sessions of yours in which nothing was said for long to the trash, from where restore brings them back; those for
which text lies in the window that was not sent stay. What would go is shown first, and then asked about on a terminal;
elsewhere it needs --yes. --dry-run only shows it.`

func (p *program) cleanCommand() *cobra.Command {
	var older string
	var messages int
	var yes bool
	var rule backend.Cleanup
	cmd := &cobra.Command{
		Use:               "clean --older-than DAYS",
		Short:             "Move old sessions to the trash",
		GroupID:           groupLife,
		Long:              cleanLong,
		Example:           "  palimpsest clean --older-than 90d --dry-run\n  palimpsest clean --older-than 1y --keep-named\n  palimpsest clean --older-than 30d --max-messages 2 --yes",
		Args:              takes(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var ok bool
			if rule.OlderThanDays, ok = daysOf(older); !ok {
				return badInput(cmd, "--older-than takes days, weeks, months or years, such as 90d, 12w, 6m or 1y")
			}
			if cmd.Flags().Changed("max-messages") {
				if messages < 0 {
					return badInput(cmd, "--max-messages takes a number from 0 on")
				}
				rule.MaxMessages = &messages
			}
			if !rule.DryRun && !yes && !p.terminal.in {
				return badInput(cmd, "moving sessions needs --yes where nobody can be asked; nothing was moved (--dry-run shows what would be)")
			}
			b, err := p.open()
			if err != nil {
				return err
			}
			return p.clean(cmd.Context(), b, rule, yes)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&older, "older-than", "", "how long nothing was said: 90d, 12w, 6m (of 30 days), 1y")
	flags.BoolVar(&rule.KeepNamed, "keep-named", false, "leave out those that you gave a name")
	flags.IntVar(&messages, "max-messages", 0, "leave out those with more messages")
	flags.BoolVar(&rule.DryRun, "dry-run", false, "only show what would go")
	flags.BoolVar(&yes, "yes", false, "don't ask")
	return cmd
}

func (p *program) clean(ctx context.Context, b *backend.Backend, rule backend.Cleanup, yes bool) error {
	preview := rule
	preview.DryRun = true
	going, err := b.CleanUp(ctx, preview)
	if err != nil {
		return err
	}
	if rule.DryRun && p.json {
		return p.answer(going)
	}
	if !p.json {
		if going.Count == 0 {
			return p.say("No session is that old")
		}
		if err := p.table(b, going.Sessions); err != nil {
			return err
		}
		if err := p.say("%s, %s", count(going.Count, "session", "sessions"), size(going.Bytes)); err != nil || rule.DryRun {
			return err
		}
	}
	if err := p.confirm(ctx, yes, "Move them to the trash?", "nothing was moved"); err != nil {
		return err
	}
	rule.Only = make([]string, 0, going.Count)
	for i := range going.Sessions {
		rule.Only = append(rule.Only, going.Sessions[i].ID)
	}
	done, err := b.CleanUp(ctx, rule)
	if err != nil {
		return err
	}
	for _, failed := range done.Failed {
		p.err.print("palimpsest: %s\n", oneLine(failed.Problem.Message))
	}
	if done.Count > 0 || len(done.Failed) == 0 || p.json {
		if err := p.tell(done, "%s in the trash; palimpsest restore brings one back", count(done.Count, "session is", "sessions are")); err != nil {
			return err
		}
	}
	if len(done.Failed) > 0 {
		return fmt.Errorf("%s could not be moved", count(len(done.Failed), "session", "sessions"))
	}
	return nil
}

// daysOf reads 90d, 12w, 6m, 1y, or a number of days.
func daysOf(text string) (int, bool) {
	const week, month, year, most = 7, 30, 365, 100_000
	times := 1
	for unit, n := range map[string]int{"d": 1, "w": week, "m": month, "y": year} {
		if rest, is := strings.CutSuffix(text, unit); is {
			text, times = rest, n
			break
		}
	}
	n, err := strconv.Atoi(text)
	return n * times, err == nil && n > 0 && n <= most
}
