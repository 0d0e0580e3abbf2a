package cli

import (
	"github.com/spf13/cobra"
)

const resetLong = `Begins a new session under a key and prints its id. The next message to the key goes there. The old session stays as it
is: it can be read, and with its ID talked to. Folder, model, rules for tools, system prompt and tags are taken over,
the conversation and the name are not.

The argument is the key itself, or the ID of a session that has one.`

func (p *program) resetCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "reset KEY|ID",
		Short:   "Begin a new session under a key",
		GroupID: groupChange,
		Long:    resetLong,
		Example: `  palimpsest reset telegram:123
  palimpsest reset 01JD9ZK3 --json`,
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := p.open()
			if err != nil {
				return err
			}
			key, err := b.KeyOf(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			begun, err := b.Reset(cmd.Context(), key)
			if err != nil {
				return err
			}
			return p.tell(begun, "%s", begun.ID)
		},
	}
}
