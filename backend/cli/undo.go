package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

// undoing says which changes of files are taken back, and whether anybody is asked first.
type undoing struct {
	since, until number
	dryRun, yes  bool
}

// check says what is wrong with the flags where nobody can be asked.
func (u *undoing) check(cmd *cobra.Command, p *program) error {
	switch {
	case u.dryRun || u.yes:
		return nil
	case p.json:
		return badInput(cmd, "--files with --json asks nobody, so it needs --yes, or --dry-run to see what would change; no file was changed")
	case !p.terminal.in:
		return badInput(cmd, "--files needs --yes where nobody can be asked, or --dry-run to see what would change; no file was changed")
	}
	return nil
}

// undoFiles shows what taking back the changes of files comes to, asks, and does that and nothing else.
func (p *program) undoFiles(cmd *cobra.Command, b *backend.Backend, id string, u *undoing) error {
	if err := u.check(cmd, p); err != nil {
		return err
	}
	options := backend.UndoOptions{SinceSeq: u.since.value, UntilSeq: u.until.value, DryRun: true}
	shown, err := b.UndoFiles(cmd.Context(), id, options)
	if err != nil {
		return aboutRecord(err, id)
	}
	if u.dryRun && p.json {
		return p.answer(shown)
	}
	if err := p.showUndo(&shown); err != nil {
		return err
	}
	if u.dryRun {
		return p.say("nothing was changed: this is a dry run")
	}
	files := 0
	for i := range shown.Files {
		if shown.Files[i].Blocked == nil {
			files++
		}
	}
	if files > 0 {
		if err := p.confirm(cmd.Context(), u.yes, fmt.Sprintf("Take back %s?", count(files, "file", "files")), "no file was changed"); err != nil {
			return err
		}
	}
	options.DryRun, options.State = false, shown.State
	undone, err := b.UndoFiles(cmd.Context(), id, options)
	if err != nil {
		return aboutRecord(err, id)
	}
	return p.sayUndone(id, &shown, &undone)
}

// showUndo prints the differences, and what stays. Where the answer is a document, they are not part of it.
func (p *program) showUndo(shown *backend.FileUndo) error {
	if p.json {
		return nil
	}
	for i := range shown.Files {
		if err := p.say("%s", shownFile(&shown.Files[i])); err != nil {
			return err
		}
	}
	if shown.Commands > 0 {
		p.note("%s ran since; what bash changed is not taken back", count(shown.Commands, "command", "commands"))
	}
	if err := p.out.Flush(); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

func shownFile(file *backend.UndoneFile) string {
	if file.Blocked != nil {
		return fmt.Sprintf("left alone: %s: %s", oneLine(file.Path), oneLine(*file.Blocked))
	}
	return strings.TrimSuffix(manyLines(file.Diff), "\n")
}

// sayUndone says what was done where it is not what was shown, and how it is taken back.
func (p *program) sayUndone(id string, shown, undone *backend.FileUndo) error {
	if p.json {
		return p.answer(undone)
	}
	for i := range undone.Files {
		file := &undone.Files[i]
		known := slices.ContainsFunc(shown.Files, func(f backend.UndoneFile) bool { return f.Path == file.Path && f.Blocked != nil })
		if file.Blocked != nil && !known {
			if err := p.say("%s", shownFile(file)); err != nil {
				return err
			}
		}
	}
	if undone.Problem != nil {
		p.note("%s", undone.Problem.Message)
	}
	seq := *undone.CommittedSeq
	return p.say("record %d says what was taken back; palimpsest revert %s --files %d --until %d takes that back again, and no more", seq, id, seq-1, seq)
}
