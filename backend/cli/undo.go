package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

// undoFiles takes back what tools changed in files, or shows what that would do.
func (p *program) undoFiles(cmd *cobra.Command, b *backend.Backend, id string, since int64, dryRun bool) error {
	undone, err := b.UndoFiles(cmd.Context(), id, backend.UndoOptions{SinceSeq: since, DryRun: dryRun})
	if err != nil {
		return aboutRecord(err, id)
	}
	if p.json {
		return p.answer(undone)
	}
	for _, file := range undone.Files {
		text := strings.TrimSuffix(manyLines(file.Diff), "\n")
		if file.Blocked != nil {
			text = fmt.Sprintf("left alone: %s: %s", oneLine(file.Path), oneLine(*file.Blocked))
		}
		if err := p.say("%s", text); err != nil {
			return err
		}
	}
	if undone.Problem != nil {
		p.note("%s", undone.Problem.Message)
	}
	if undone.Commands > 0 {
		p.note("%s ran since; what bash changed is not taken back", count(undone.Commands, "command", "commands"))
	}
	if undone.CommittedSeq == nil {
		return p.say("nothing was changed: this is a dry run")
	}
	return p.say("record %d says what was taken back; palimpsest revert %s --files %d takes it back again", *undone.CommittedSeq, id, *undone.CommittedSeq-1)
}
