package cli

import (
	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const importLong = `Makes a session of another agent one of yours, and prints the id of the copy: messages, calls and results, thinking,
usage, images, branches and compactions. The original is only read.

Importing again brings the copy up to date: what the original has more is added to it, and it is called what that is
called now, unless you have named it. If the original has become something else, or shorter, and the copy was not
continued, a new copy takes its place, with the name that you gave it, and the old one goes to the trash. Of a copy that
was continued nothing but its name changes: if the original has changed since, another one is made beside it. An older
state of the original, as in a copy that keep made, takes the place of none.

An agent may take out of its files what it has summarized. A copy from before keeps that: the summary and what is new
are added to it. If nothing of the copy is left in the original, another one is made beside it.`

func (p *program) importCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "import AGENT:ID",
		Short:   "Make a session of another agent your own",
		GroupID: groupChange,
		Long:    importLong,
		Example: `  palimpsest import codex:0199c3c1-9d3f-7a21-b9a3-3f6f0c1d2e4f
  palimpsest send "$(palimpsest import pi:7d1c5a2e)" "Go on"`,
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
		RunE: p.onAny(func(cmd *cobra.Command, b *backend.Backend, id string) error {
			made, err := b.Import(cmd.Context(), id)
			if err != nil {
				return err
			}
			for _, note := range []struct {
				id   *string
				text string
			}{
				{made.Replaced, "the copy from before, %s, is in the trash: the original has become something else\n"},
				{made.Earlier, "the copy %s stays as it is: it was continued, or has what the original has not any more\n"},
			} {
				if note.id != nil && !p.json {
					p.err.print("palimpsest: "+note.text, *note.id)
				}
			}
			return p.tell(made, "%s", made.ID)
		}),
	}
}
