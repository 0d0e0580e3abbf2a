package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/secrets"
	"palimpsest/backend/session"
)

const showLong = `Shows the transcript of a session: every record of the log in the order of the file, also those that the model does
not see any more, and damage where it stands. Marks say what became of a record: superseded by a compaction, on a branch
that was left, undone, cleared by a prune, left out of the context (palimpsest context says why).

--from and --to show a part, both ends included; a seq means the last record that has it. --markdown makes a document of
it, which leaves out what is a secret by its shape or its name, as export does; --secrets leaves that in. --json prints
the records as they are in the log, byte for byte, one a line.

Logs of any size can be shown: records are read and printed one by one.`

func (p *program) showCommand() *cobra.Command {
	var markdown, keep bool
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Show the transcript",
		GroupID: groupLook,
		Long:    showLong,
		Example: `  palimpsest show 01JD9ZK3 | less -R
  palimpsest show 01JD9ZK3 --from 120 --to 140
  palimpsest show 01JD9ZK3 --markdown > conversation.md`,
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
	}
	from := seqFlag(cmd, "from", "the first record to show")
	to := seqFlag(cmd, "to", "the last record to show")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "a Markdown document")
	cmd.Flags().BoolVar(&keep, "secrets", false, "leave secrets in it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if markdown && p.json {
			return badInput(cmd, "--markdown and --json can't both be given")
		}
		if keep && !markdown {
			return badInput(cmd, "--secrets goes with --markdown: whatever else is shown has them")
		}
		return p.onAny(func(cmd *cobra.Command, b *backend.Backend, id string) error {
			opts := backend.ShowOptions{From: from.value, To: to.value, Exact: !p.json}
			view, err := p.viewOf(b, id, markdown, keep)
			if err != nil {
				return err
			}
			if err := b.Show(cmd.Context(), id, opts, view.visit); err != nil {
				return aboutRecord(err, id)
			}
			return view.end()
		})(cmd, args)
	}
	return cmd
}

// view prints a transcript line by line.
type view interface {
	visit(*backend.Shown) error
	end() error
}

func (p *program) viewOf(b *backend.Backend, id string, markdown, keep bool) (view, error) {
	if p.json {
		return &records{p: p, id: id, damage: []session.Damage{}}, nil
	}
	s, err := b.Get(id)
	if err != nil {
		return nil, err
	}
	if markdown {
		filter := &secrets.Filter{}
		if keep {
			filter = nil
		}
		return p.newDocument(s, filter), nil
	}
	return &transcript{p: p, session: s}, nil
}

// records prints the JSON of show: as a stream, and each record as it is in the log.
type records struct {
	p      *program
	id     string
	begun  bool
	damage []session.Damage
}

func (r *records) visit(line *backend.Shown) error {
	r.damage = append(r.damage, line.Damage...)
	if line.JSON == nil {
		return nil
	}
	before := ",\n    "
	if !r.begun {
		r.begun, before = true, r.head()+"\n    "
	}
	if err := r.p.print(before); err != nil {
		return err
	}
	if _, err := r.p.out.Write(harmless(line.JSON)); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// head begins the document. Up to here an error can be the document instead.
func (r *records) head() string {
	r.p.answering = true
	return fmt.Sprintf("{\n  \"sessionId\": %q,\n  \"records\": [", r.id)
}

func (r *records) end() error {
	last := "\n  ],"
	if !r.begun {
		last = r.head() + "],"
	}
	damage, err := indented(r.damage, "  ")
	if err != nil {
		return err
	}
	return r.p.print(last + "\n  \"damage\": " + damage + "\n}\n")
}

// print prints text that is laid out already.
func (p *program) print(text string) error {
	if _, err := p.out.WriteString(text); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}
