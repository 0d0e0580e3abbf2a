package cli

import (
	"github.com/spf13/cobra"

	"palimpsest/backend"
)

func (p *program) archiveCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "archive ID",
		Short:             "Take a session out of the list",
		GroupID:           groupLife,
		Long:              "Takes a session out of the list. It stays where it is and can be used as before; unarchive puts it back.",
		Example:           "  palimpsest archive 01JD9ZK3\n  palimpsest list --archived",
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
		RunE:              p.setArchived(true, "%s is archived: %s"),
	}
}

func (p *program) unarchiveCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "unarchive ID",
		Short:             "Put an archived session back into the list",
		GroupID:           groupLife,
		Long:              "Puts an archived session back into the list.",
		Example:           "  palimpsest unarchive 01JD9ZK3",
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
		RunE:              p.setArchived(false, "%s is in the list again: %s"),
	}
}

func (p *program) setArchived(archived bool, told string) run {
	return p.onSession(func(cmd *cobra.Command, b *backend.Backend, id string) error {
		changed, err := b.Archive(cmd.Context(), id, archived)
		if err != nil {
			return err
		}
		shown := changed
		shown.ArchivedAt = nil // the sentence says it
		return p.tell(changed, told, id, title(shown))
	})
}
