package cli

import (
	"github.com/spf13/cobra"

	"palimpsest/backend"
)

func (p *program) rmCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "rm ID",
		Short:             "Move a session to the trash",
		GroupID:           groupLife,
		Long:              "Moves a session, whole, to the trash. Nothing is deleted: restore brings it back, until purge.",
		Example:           "  palimpsest rm 01JD9ZK3\n  palimpsest list --trash",
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
		RunE: p.onSession(func(cmd *cobra.Command, b *backend.Backend, id string) error {
			if err := b.Trash(cmd.Context(), id); err != nil {
				return err
			}
			return p.tell(named{id}, "%s is in the trash; palimpsest restore %s brings it back", id, id)
		}),
	}
}

func (p *program) restoreCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "restore ID",
		Short:             "Bring a session back from the trash",
		GroupID:           groupLife,
		Long:              "Brings a session back from the trash, as it was.",
		Example:           "  palimpsest restore 01JD9ZK3",
		Args:              takes(1, 1),
		ValidArgsFunction: trashedSession,
		RunE: p.onTrashed(func(_ *cobra.Command, b *backend.Backend, id string) error {
			restored, err := b.Restore(id)
			if err != nil {
				return err
			}
			return p.tell(restored, "%s is back: %s", id, title(restored))
		}),
	}
}
