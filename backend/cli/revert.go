package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const revertLong = `Takes back a compaction or a prune: the model sees again what it saw before. Without SEQ it is the compaction in
force.

Nothing was lost, so nothing is restored: a record is appended that says the other one no longer applies. To take back
a revert, name its own seq; what it took back is then appended again.`

func (p *program) revertCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "revert ID [SEQ]",
		Short:   "Take back a compaction, a prune or a revert",
		GroupID: groupChange,
		Long:    revertLong,
		Example: `  palimpsest revert 01JD9ZK3
  palimpsest revert 01JD9ZK3 212`,
		Args:              takes(1, 2),
		ValidArgsFunction: anySession,
		RunE: func(cmd *cobra.Command, args []string) error {
			target := number{least: 1}
			if len(args) > 1 {
				if err := target.Set(args[1]); err != nil {
					return badInput(cmd, "SEQ is %q: %w", args[1], err)
				}
			}
			return p.onSession(func(cmd *cobra.Command, b *backend.Backend, id string) error {
				return p.revert(cmd, b, id, target.value)
			})(cmd, args)
		},
	}
}

func (p *program) revert(cmd *cobra.Command, b *backend.Backend, id string, target int64) error {
	if target == 0 {
		inForce, err := b.InForce(id)
		if err != nil {
			return err
		}
		if inForce == 0 {
			return &fault{
				err:  errors.New("session " + id + ": no compaction is in force, so there is nothing to take back"),
				code: backend.CodeBadInput,
				hint: "palimpsest show " + id + " shows compactions, prunes and reverts with their seqs",
			}
		}
		target = inForce
	}
	seq, err := b.Revert(cmd.Context(), id, target)
	if err != nil {
		return aboutRecord(err, id)
	}
	type document struct {
		CommittedSeq int64 `json:"committedSeq"`
	}
	return p.tell(document{seq}, "record %d takes back record %d", seq, target)
}
