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

--files SEQ takes back files instead: whatever the tools write and edit changed behind that record, up to the end of the
conversation or, with --until, up to that record, in each file that still is as they left it. What commands changed is
not known, and stays.

The differences are printed first, with --dry-run only that. On a terminal it then asks, unless --yes is given; where
nobody can be asked, it needs --yes. What is done is what was shown: if a file has changed meanwhile, nothing is. A
record says what was done, and is taken back in the same way: --files with the seq before it, --until with its own.`

func (p *program) revertCommand() *cobra.Command {
	files := undoing{since: number{kind: "seq"}, until: number{kind: "seq", least: 1}}
	cmd := &cobra.Command{
		Use:     "revert ID [SEQ]",
		Short:   "Take back a compaction, a prune, a revert, or changes of files",
		GroupID: groupChange,
		Long:    revertLong,
		Example: `  palimpsest revert 01JD9ZK3
  palimpsest revert 01JD9ZK3 212
  palimpsest revert 01JD9ZK3 --files 198 --dry-run
  palimpsest revert 01JD9ZK3 --files 240 --until 241 --yes`,
		Args:              takes(1, 2),
		ValidArgsFunction: anySession,
		RunE: func(cmd *cobra.Command, args []string) error {
			byFiles := cmd.Flags().Changed("files")
			switch {
			case byFiles && len(args) > 1:
				return badInput(cmd, "--files takes files back and SEQ a record; give one of them")
			case !byFiles && (files.dryRun || files.yes || cmd.Flags().Changed("until")):
				return badInput(cmd, "--dry-run, --until and --yes go with --files")
			case byFiles:
				return p.onSession(func(cmd *cobra.Command, b *backend.Backend, id string) error {
					return p.undoFiles(cmd, b, id, &files)
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
	cmd.Flags().Var(&files.since, "files", "take back what tools changed in files behind this record; 0: all of it")
	cmd.Flags().Var(&files.until, "until", "with --files: only up to this record, and what it changed")
	cmd.Flags().BoolVar(&files.dryRun, "dry-run", false, "with --files: only show what would change")
	cmd.Flags().BoolVar(&files.yes, "yes", false, "with --files: don't ask")
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
