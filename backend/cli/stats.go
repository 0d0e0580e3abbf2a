package cli

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/digest"
	"palimpsest/backend/index"
)

const statsLong = `Adds up what sessions took, yours and those of other agents: messages, tokens, cost in US dollars, compactions and calls
of tools. It first brings the index up to date; --no-scan does not wait for that.

What no session tells is shown as "-" and not as 0. What was copied, as a fork does, counts once, but what was exported
to another agent counts there as well. --project is a folder, by its path or by one of the names in it.`

func (p *program) statsCommand() *cobra.Command {
	var opts backend.StatisticsOptions
	var noScan bool
	cmd := &cobra.Command{
		Use:     "stats",
		Short:   "Sessions, tokens, cost and tools, by day, agent, project and model",
		GroupID: groupLook,
		Long:    statsLong,
		Example: `  palimpsest stats --from 2026-11-01
  palimpsest stats --agent codex --project api --json | jq .totals`,
		Args:              takes(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := p.openScanned(cmd, noScan, true)
			if err != nil {
				return err
			}
			told, err := b.Statistics(cmd.Context(), opts)
			if err != nil {
				return err
			}
			if p.json {
				return p.answer(told)
			}
			if err := p.statsText(&told); err != nil {
				return err
			}
			return p.unread(cmd, b)
		},
	}
	cmd.Flags().StringVar(&opts.Agent, "agent", "", "only those of this agent; palimpsest: only your own")
	cmd.Flags().StringVar(&opts.Project, "project", "", "only those that worked in this folder")
	cmd.Flags().StringVar(&opts.From, "from", "", "from this day on, such as 2026-11-01")
	cmd.Flags().StringVar(&opts.To, "to", "", "up to and with this day")
	cmd.Flags().BoolVar(&noScan, "no-scan", false, "don't bring the index up to date first")
	return cmd
}

// openScanned opens the backend and brings its index up to date: another one, which ends with the program, where nothing more can be written to
// it. Where that can't be either, what is asked is answered from what there is, and the reason told. days tells that it is asked for days.
func (p *program) openScanned(cmd *cobra.Command, noScan, days bool) (*backend.Backend, error) {
	b, err := p.open()
	if err != nil || noScan {
		return b, err
	}
	if days {
		b.CountDays()
	}
	if err = p.bringUp(cmd, b, false); !index.Unwritable(err) {
		return b, err
	}
	b.Close()
	if b, err = p.openFor(false, err); err != nil {
		return nil, err
	}
	if days {
		b.CountDays()
	}
	if err = p.bringUp(cmd, b, false); index.Unwritable(err) {
		p.warn(fmt.Errorf("not all sessions could be read: %w", err))
		err = nil
	}
	return b, err
}

// unread says how many sessions what was told of all leaves out: those that can't be read, and those that were not read as they are now.
func (p *program) unread(cmd *cobra.Command, b *backend.Backend) error {
	status, err := b.IndexStatus(cmd.Context())
	if err != nil {
		return err
	}
	out := slices.DeleteFunc(status.Skipped, func(s backend.Unsearched) bool { return s.Reason != digest.SkipUnreadable })
	if status.Waiting > 0 {
		out = append(out, backend.Unsearched{Reason: "notYetScanned", Count: status.Waiting})
	}
	p.skipped(out)
	return nil
}

func (p *program) statsText(s *backend.Statistics) error {
	t := &s.Totals
	lines := []string{
		fmt.Sprintf("%s, %s, %d of them yours, %s", count(t.Sessions, "session", "sessions"), count(t.Messages, "message", "messages"), t.Prompts,
			count(t.Compactions, "compaction", "compactions")),
		fmt.Sprintf("tokens: %s in, %s out, %s read from caches, %s written to them", tokenCount(t.Input), tokenCount(t.Output), tokenCount(t.CacheRead), tokenCount(t.CacheWrite)),
		"cost: " + cost(t.Cost) + untold(t.Lacks.Cost, "cost") + untold(t.Lacks.Usage, "tokens"),
	}
	if s.Copies > 0 {
		lines = append(lines, count(s.Copies, "session more only repeats", "sessions more only repeat")+" what others hold, and count there")
	}
	for _, text := range lines {
		if err := p.say("%s", text); err != nil {
			return err
		}
	}
	row := func(name string, t *backend.Total) error {
		return p.say("  %-30s %8d %9d %14s %12s %9s", cut(oneLine(name), 30), t.Sessions, t.Messages, tokenCount(t.Input), tokenCount(t.Output), cost(t.Cost))
	}
	head := func(name string) error {
		return p.say("\n  %-30s %8s %9s %14s %12s %9s", name, "SESSIONS", "MESSAGES", "IN", "OUT", "COST")
	}
	if len(s.Agents) > 0 {
		if err := head("AGENT"); err != nil {
			return err
		}
	}
	for i := range s.Agents {
		if err := row(s.Agents[i].Agent, &s.Agents[i].Total); err != nil {
			return err
		}
	}
	if len(s.Models) > 0 {
		if err := head("MODEL"); err != nil {
			return err
		}
	}
	for i := range s.Models {
		if err := row(s.Models[i].Model, &s.Models[i].Total); err != nil {
			return err
		}
	}
	if len(s.Projects) > 0 {
		if err := head("PROJECT"); err != nil {
			return err
		}
	}
	for i := range s.Projects {
		name := s.Projects[i].Project
		if name == "" {
			name = "-"
		}
		if err := row(name, &s.Projects[i].Total); err != nil {
			return err
		}
	}
	if len(s.Tools) > 0 {
		if err := p.say("\n  %-30s %8s %9s", "TOOL", "CALLS", "FAILED"); err != nil {
			return err
		}
	}
	for _, tool := range s.Tools {
		if err := p.say("  %-30s %8d %9d", cut(oneLine(tool.Tool), 30), tool.Calls, tool.Errors); err != nil {
			return err
		}
	}
	return nil
}

// untold says how many sessions don't tell all of what they took, if there are any.
func untold(n int, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s %s", count(n, "session doesn't tell all of its", "sessions don't tell all of their"), what)
}

func tokenCount(n *int64) string {
	if n == nil {
		return "-"
	}
	return strconv.FormatInt(*n, 10)
}

func cost(dollars *float64) string {
	if dollars == nil {
		return "-"
	}
	return fmt.Sprintf("$%.2f", *dollars)
}
