package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const listLong = `Lists sessions, the newest message first: id, time of the last message, number of messages and of compactions, and
the name or, without one, how the first message begins. Lines are cut to the width of the terminal.

Archived sessions are left out unless --archived is given. --trash lists what rm removed instead.

Messages that were appended by other programs have to be counted first. --quick does not wait for that, and shows "-"
where a number is not known yet.`

func (p *program) listCommand() *cobra.Command {
	var opts backend.ListOptions
	limit := &number{kind: "count"}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List sessions, newest first",
		GroupID: groupLook,
		Long:    listLong,
		Example: `  palimpsest list --limit 10
  palimpsest list --query canary --archived
  palimpsest list --source cron --cron-job-id nightly
  palimpsest list --json | jq -r '.[].id'`,
		Args:              takes(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := p.open()
			if err != nil {
				return err
			}
			opts.Limit = int(limit.value)
			sessions, err := b.List(cmd.Context(), opts)
			if err != nil {
				return err
			}
			if p.json {
				return p.answer(sessions)
			}
			switch {
			case len(sessions) > 0:
				return p.table(sessions)
			case opts.Filters():
				return p.say("no session matches")
			case opts.Query != "":
				return p.say("no session matches %s", oneLine(opts.Query))
			case opts.Trash:
				return p.say("the trash is empty")
			}
			return p.say("no sessions in %s", oneLine(b.Home()))
		},
	}
	cmd.Flags().BoolVar(&opts.Archived, "archived", false, "archived sessions, too")
	cmd.Flags().BoolVar(&opts.Trash, "trash", false, "the sessions in the trash instead")
	cmd.Flags().StringVar(&opts.Query, "query", "", "only those with this text in name, first message, folder, key, agent, cron job or id")
	cmd.Flags().StringVar(&opts.Key, "key", "", "only those with exactly this key")
	cmd.Flags().StringVar(&opts.Agent, "agent", "", "only those of this agent")
	cmd.Flags().StringVar(&opts.CreatedBy, "created-by", "", "only those made by this one")
	cmd.Flags().StringVar(&opts.Source, "source", "", "only interactive ones, or only those made by cron")
	cmd.Flags().StringVar(&opts.CronJobID, "cron-job-id", "", "only those of this job")
	cmd.Flags().Var(limit, "limit", "at most so many; 0: all")
	cmd.Flags().BoolVar(&opts.Quick, "quick", false, "don't wait for numbers that have to be counted")
	return cmd
}

// table prints one line for each session.
func (p *program) table(sessions []backend.Session) error {
	const row = "%-26s  %-16s  %8s  %11s  "
	head := fmt.Sprintf(row, "ID", "LAST MESSAGE", "MESSAGES", "COMPACTIONS")
	if err := p.say("%sNAME", head); err != nil {
		return err
	}
	for _, s := range sessions {
		line := fmt.Sprintf(row, s.ID, localTime(s.LastMessageAt), orDash(s.MessageCount), orDash(s.Compactions))
		room := max(p.terminal.width-len(head), 10)
		if err := p.say("%s%s", line, cut(title(s), room)); err != nil {
			return err
		}
	}
	return nil
}

func orDash(n *int) string {
	if n == nil {
		return "-"
	}
	return strconv.Itoa(*n)
}

// title is what a person knows a session by, harmless to a terminal.
func title(s backend.Session) string {
	text := oneLine(orEmpty(s.Name))
	if text == "" {
		text = oneLine(orEmpty(s.FirstMessage))
	}
	if text == "" {
		text = "(empty)"
	}
	if s.ArchivedAt != nil {
		text = "[archived] " + text
	}
	return text
}
