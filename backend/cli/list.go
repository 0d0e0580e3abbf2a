package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const listLong = `Lists sessions, the newest message first: id, time of the last message, number of messages and of compactions, and
the name or, without one, how the first message begins. On a terminal lines are cut to its width, and ids of other
agents, where they take too much of it, to as much as says which session it is; elsewhere neither is.

Sessions of other agents on this machine are listed, too: their ids begin with the agent's name. They can be read, and
not changed; import makes a copy that can. Sessions that an agent started below another one are left out unless
--subagents is given. --agent lists the sessions of one agent, palimpsest those that are no other's.

Of a session whose own files are gone, what is left is said before its name: a copy that was kept, or only what the
index has of it.

Archived sessions are left out unless --archived is given. --trash lists what rm removed instead.

Messages that were appended by other programs have to be counted first. --quick does not wait for that, and shows "-"
where a number is not known yet. So does a list of other agents' sessions with more to count than takes a few seconds,
until they have been read: palimpsest index scan does so.`

func (p *program) listCommand() *cobra.Command {
	var opts backend.ListOptions
	limit, least := &number{kind: "count"}, &number{kind: "count"}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List sessions, newest first",
		GroupID: groupLook,
		Long:    listLong,
		Example: `  palimpsest list --limit 10
  palimpsest list --query canary --archived
  palimpsest list --source cron --cron-job-id nightly
  palimpsest list --agent codex
  palimpsest list --json | jq -r '.[].id'`,
		Args:              takes(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := p.open()
			if err != nil {
				return err
			}
			opts.Limit, opts.MinCompactions = int(limit.value), int(least.value)
			sessions, err := b.List(cmd.Context(), opts)
			if err != nil {
				return err
			}
			if p.json {
				return p.answer(sessions)
			}
			switch {
			case len(sessions) > 0:
				return p.table(b, sessions)
			case opts.Agent != "":
				return p.say("no sessions of %s", oneLine(opts.Agent))
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
	cmd.Flags().StringVar(&opts.Agent, "agent", "", "only those of this agent; palimpsest: only your own")
	cmd.Flags().BoolVar(&opts.Subagents, "subagents", false, "also those that an agent started below another one")
	cmd.Flags().BoolVar(&opts.Trash, "trash", false, "the sessions in the trash instead")
	cmd.Flags().StringVar(&opts.Query, "query", "", "only those with this text in name, first message, folder, key, agent, cron job or id")
	cmd.Flags().StringVar(&opts.Key, "key", "", "only those with exactly this key")
	cmd.Flags().StringVar(&opts.CreatedBy, "created-by", "", "only those made by this one")
	cmd.Flags().StringVar(&opts.Source, "source", "", "only interactive ones, or only those made by cron")
	cmd.Flags().StringVar(&opts.CronJobID, "cron-job-id", "", "only those of this job")
	cmd.Flags().Var(least, "min-compactions", "only those that were compacted at least so often, as far as that is known")
	cmd.Flags().Var(limit, "limit", "at most so many; 0: all")
	cmd.Flags().BoolVar(&opts.Quick, "quick", false, "don't wait for numbers that have to be counted")
	return cmd
}

// table prints one line for each session.
func (p *program) table(b *backend.Backend, sessions []backend.Session) error {
	ids := make([]string, len(sessions))
	for i := range sessions {
		ids[i] = sessions[i].ID
	}
	const row, numbers = "%-*s  %-16s  %8s  %11s  ", 43
	ids, wide := p.idsIn(b, ids, numbers)
	head := fmt.Sprintf(row, wide, "ID", "LAST MESSAGE", "MESSAGES", "COMPACTIONS")
	if err := p.say("%sNAME", head); err != nil {
		return err
	}
	for i, s := range sessions {
		line := fmt.Sprintf(row, wide, ids[i], localTime(s.LastMessageAt), orDash(s.MessageCount), orDash(s.Compactions))
		if err := p.say("%s%s", line, p.fit(left(s)+title(s), line)); err != nil {
			return err
		}
	}
	return nil
}

// gone says of a session that nothing can be read of it but what the index has.
const gone = "its own files are gone or can't be read"

// left says what is left of a session whose own files are gone, before its name.
func left(s backend.Session) string {
	switch {
	case s.Gone:
		return gone + "  "
	case s.FromCopy:
		return "only the kept copy is left  "
	}
	return ""
}

func orDash(n *int) string {
	if n == nil {
		return "-"
	}
	return strconv.Itoa(*n)
}

// title is what a person knows a session by, harmless to a terminal.
func title(s backend.Session) string {
	return backend.TitleOf(s)
}
