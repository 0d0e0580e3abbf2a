package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const exportLong = `Writes a session, yours or another agent's, in a format that others read:

  markdown  a document for people; the same as show --markdown
  jsonl     the log as it is; of another agent's session, how it is read here
  pi        a session file of pi, which can open it: the same messages, branches and compactions. Compactions that were
            undone are left out, since pi undoes nothing

Without --output it goes to standard output. A file that is there already is not replaced.`

var exportFormats = []string{"markdown", "jsonl", "pi"}

// exported is the document of an export to a file.
type exported struct {
	ID     string `json:"id"`
	Format string `json:"format"`
	Path   string `json:"path"`
}

func (p *program) exportCommand() *cobra.Command {
	var format, path string
	cmd := &cobra.Command{
		Use:     "export ID",
		Short:   "Write a session as a document, as its log, or for pi",
		GroupID: groupLook,
		Long:    exportLong,
		Example: `  palimpsest export 01JD9ZK3 --output conversation.md
  palimpsest export 01JD9ZK3 --format pi --output ~/.pi/agent/sessions/from-palimpsest.jsonl
  palimpsest export codex:0199c3c1 --format jsonl | head`,
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
	}
	cmd.Flags().StringVar(&format, "format", "markdown", strings.Join(exportFormats, ", "))
	cmd.Flags().StringVar(&path, "output", "", "the file to write")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case !slices.Contains(exportFormats, format):
			return badInput(cmd, "--format is %q, not one of %s", format, strings.Join(exportFormats, ", "))
		case p.json && path == "":
			return badInput(cmd, "with --json, --output has to name the file to write")
		}
		return p.onAny(func(cmd *cobra.Command, b *backend.Backend, id string) error {
			if path == "" {
				return p.export(cmd, b, id, format)
			}
			if err := p.exportTo(cmd, b, id, format, path); err != nil {
				return err
			}
			return p.tell(exported{id, format, path}, "%s", oneLine(path))
		})(cmd, args)
	}
	return cmd
}

// exportTo writes a file that is whole or not there.
func (p *program) exportTo(cmd *cobra.Command, b *backend.Backend, id, format, path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return badInput(cmd, "%s is there already; it is not replaced", path)
	}
	if err != nil {
		return fmt.Errorf("exporting session %s (nothing was written): %w", id, err)
	}
	to := program{out: bufio.NewWriter(file), err: p.err, terminal: p.terminal}
	err = errors.Join(to.export(cmd, b, id, format), to.out.Flush(), file.Close())
	if err != nil {
		_ = os.Remove(path) // the error that matters is already on its way
		return fmt.Errorf("exporting session %s (no file was left): %w", id, err)
	}
	return nil
}

func (p *program) export(cmd *cobra.Command, b *backend.Backend, id, format string) error {
	return b.Export(cmd.Context(), id, format, p.out)
}
