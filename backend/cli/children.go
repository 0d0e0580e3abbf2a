package cli

import (
	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const childrenLong = `Lists the sessions that an agent started below one of its own, the newest first, as list does: its sub-agents. --json
also tells which tool call of the session started each, where the agent's files say so.`

func (p *program) childrenCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "children ID",
		Short:             "List the sub-agents of a session",
		GroupID:           groupLook,
		Long:              childrenLong,
		Example:           "  palimpsest children claudecode:654e23a7\n  palimpsest children codex:01a1fbb8 --json | jq '.[].call'",
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
		RunE: p.onAny(func(cmd *cobra.Command, b *backend.Backend, id string) error {
			children, err := b.Children(cmd.Context(), id, backend.ChildrenOptions{Calls: p.json, Count: true})
			if err != nil {
				return err
			}
			if p.json {
				return p.answer(children)
			}
			if len(children) == 0 {
				return p.say("%s has started no other sessions", oneLine(id))
			}
			sessions := make([]backend.Session, len(children))
			for i := range children {
				sessions[i] = children[i].Session
			}
			return p.table(b, sessions)
		}),
	}
}
