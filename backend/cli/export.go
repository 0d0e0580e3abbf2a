package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const exportLong = `Writes a session, yours or another agent's, in a format that others read:

  markdown  a document for people, as of show --markdown
  jsonl     the log as it is, secrets and all; of another agent's session, how it is read here
  pi        a session file of pi, which can open it: the same messages, branches and compactions. Compactions that were
            undone are left out, since pi undoes nothing, and it sends no documents and the like; the words around a
            summary, and those in the place of a missing result, are its own. Answers that a compaction kept behind more
            than a summary stand in it twice

What is a secret by its shape or by the name before it (keys of services, private keys, headers, variables of an
environment, passwords in addresses) is left out, and [secret removed] stands in its place; how many is said on
standard error. What can't be recognised remains. --secrets leaves them in. Nothing changes in the session itself.

Without --output, or with a dash for it, it goes to standard output; ./- is a file of that name. A file that is there
already is not replaced.`

// standardOutput stands for it in the place of a file.
const standardOutput = "-"

var exportFormats = []string{"markdown", "jsonl", "pi"}

// exported is the document of an export to a file.
type exported struct {
	ID     string `json:"id"`
	Format string `json:"format"`
	Path   string `json:"path"`
	// SecretsLeftOut is how many.
	SecretsLeftOut int `json:"secretsLeftOut"`
}

func (p *program) exportCommand() *cobra.Command {
	var path string
	var opts backend.ExportOptions
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
	cmd.Flags().StringVar(&opts.Format, "format", "markdown", strings.Join(exportFormats, ", "))
	cmd.Flags().StringVar(&path, "output", standardOutput, "the file to write")
	cmd.Flags().BoolVar(&opts.Secrets, "secrets", false, "leave secrets in")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case !slices.Contains(exportFormats, opts.Format):
			return badInput(cmd, "--format is %q, not one of %s", opts.Format, strings.Join(exportFormats, ", "))
		case path == "":
			return badInput(cmd, "--output names no file; a dash is standard output")
		case p.json && path == standardOutput:
			return badInput(cmd, "with --json, --output has to name the file to write")
		}
		return p.onAny(func(cmd *cobra.Command, b *backend.Backend, id string) error {
			if path == standardOutput {
				leftOut, err := b.Export(cmd.Context(), id, opts, p.out)
				p.noteLeftOut(leftOut)
				return err
			}
			leftOut, err := exportTo(cmd, b, id, opts, path)
			if err != nil {
				return err
			}
			p.noteLeftOut(leftOut)
			return p.tell(exported{id, opts.Format, path, leftOut}, "%s", oneLine(path))
		})(cmd, args)
	}
	return cmd
}

// exportTo writes a file that is whole or not there.
func exportTo(cmd *cobra.Command, b *backend.Backend, id string, opts backend.ExportOptions, path string) (leftOut int, err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return 0, badInput(cmd, "%s is there already, and is not replaced: name another file, or move that one away", path)
	}
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return 0, badInput(cmd, "there is no folder %s to write the file in; make it first", filepath.Dir(path))
	}
	if err != nil {
		return 0, fmt.Errorf("exporting session %s (nothing was written): %w", id, err)
	}
	out := bufio.NewWriter(file)
	leftOut, err = b.Export(cmd.Context(), id, opts, out)
	if err = errors.Join(err, out.Flush(), file.Close()); err != nil {
		_ = os.Remove(path) // the error that matters is already on its way
		return 0, fmt.Errorf("exporting session %s (no file was left): %w", id, err)
	}
	return leftOut, nil
}

// noteLeftOut says how many secrets are not in what was written; with --json the answer does.
func (p *program) noteLeftOut(n int) {
	switch {
	case p.json || n == 0:
	case n == 1:
		p.note("1 secret was left out; --secrets leaves it in")
	default:
		p.note("%d secrets were left out; --secrets leaves them in", n)
	}
}
