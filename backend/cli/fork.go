package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const forkLong = `Makes a new session from this one and prints its id. The new one begins with the same records, byte for byte: all of
them, or those up to and with --at. The old one is only read.`

func (p *program) forkCommand() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:     "fork ID",
		Short:   "Make a new session from the beginning of another",
		GroupID: groupChange,
		Long:    forkLong,
		Example: `  palimpsest fork 01JD9ZK3
  palimpsest fork 01JD9ZK3 --at 120 --name "another try"`,
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
	}
	at := seqFlag(cmd, "at", "the last record to take along; without it, all")
	cmd.Flags().StringVar(&name, "name", "", `its name (default the other's with "(fork #N)")`)
	cmd.RunE = p.onSession(func(cmd *cobra.Command, b *backend.Backend, id string) error {
		forked, err := b.Fork(id, at.value)
		if err != nil {
			return aboutRecord(err, id)
		}
		if cmd.Flags().Changed("name") {
			made := forked.ID
			if forked, err = b.Rename(cmd.Context(), made, name); err != nil {
				return &fault{
					err: fmt.Errorf("session %s was forked as %s, but naming that failed: %w", id, made, err), code: backend.CodeFailed,
					hint: "palimpsest rename " + made + " NAME",
				}
			}
		}
		return p.tell(forked, "%s", forked.ID)
	})
	return cmd
}
