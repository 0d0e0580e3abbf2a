package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const revertLong = `Takes back a compaction or a prune: the model sees again what it saw before. Without SEQ it is the compaction in
force.

Nothing was lost, so nothing is restored: a record is appended that says the other one no longer applies. To take back
a revert, name its own seq; what it took back is then appended again.

--files SEQ takes back files instead: whatever the tools write and edit changed since that record, in each file that
still is as they left it. The differences are printed, with --dry-run only that. What was done is recorded, and is taken
back in the same way. What commands changed is not known, and stays.`

func (p *program) revertCommand() *cobra.Command {
	files := &number{kind: "seq"}
	var dryRun bool
	cmd := &cobra.Command{
		Use:     "revert ID [SEQ]",
		Short:   "Take back a compaction, a prune, a revert, or changes of files",
		GroupID: groupChange,
		Long:    revertLong,
		Example: `  palimpsest revert 01JD9ZK3
  palimpsest revert 01JD9ZK3 212
  palimpsest revert 01JD9ZK3 --files 198 --dry-run`,
		Args:              takes(1, 2),
		ValidArgsFunction: anySession,
		RunE: func(cmd *cobra.Command, args []string) error {
			byFiles := cmd.Flags().Changed("files")
			switch {
			case byFiles && len(args) > 1:
				return badInput(cmd, "--files takes files back and SEQ a record; give one of them")
			case dryRun && !byFiles:
				return badInput(cmd, "--dry-run goes with --files")
			case byFiles:
				return p.onSession(func(cmd *cobra.Command, b *backend.Backend, id string) error {
					return p.undoFiles(cmd, b, id, files.value, dryRun)
				})(cmd, args)
			}
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
	cmd.Flags().Var(files, "files", "take back what tools changed in files since this record; 0: all of it")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "with --files: only show what would change")
	return cmd
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
