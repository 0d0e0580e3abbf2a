package backend

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"palimpsest/backend/secrets"
	"palimpsest/backend/session"
)

// exportEndings are those of the files that sessions are exported to.
var exportEndings = map[string]string{"markdown": ".md", "jsonl": ".jsonl", "pi": ".pi.jsonl"}

// Exported is the file that a session was written to, and how many secrets were left out.
type Exported struct {
	Path           string `json:"path"`
	SecretsLeftOut int    `json:"secretsLeftOut"`
}

// ExportTo writes a session into a folder, under a name of its own. The file is whole or not there, and none that is there already is
// replaced.
func (b *Backend) ExportTo(ctx context.Context, id string, opts ExportOptions, folder string) (Exported, error) {
	ending, known := exportEndings[opts.Format]
	if !known {
		return Exported{}, fmt.Errorf("%w: format is %q, not markdown, jsonl or pi", session.ErrInput, opts.Format)
	}
	s, err := b.Get(id)
	if err != nil {
		return Exported{}, err
	}
	if err := b.Prepare(ctx, id); err != nil {
		return Exported{}, err
	}
	file, err := newFile(filepath.Join(folder, exportName(s, opts)), ending)
	if err != nil {
		return Exported{}, fmt.Errorf("exporting session %s (nothing was written): %w", id, err)
	}
	out := bufio.NewWriter(file)
	leftOut, err := b.Export(ctx, id, opts, out)
	if err = errors.Join(err, out.Flush(), file.Close()); err != nil {
		_ = os.Remove(file.Name()) // the error that matters is already on its way
		return Exported{}, fmt.Errorf("exporting session %s (no file was left): %w", id, err)
	}
	return Exported{file.Name(), leftOut}, nil
}

// ExportName is what the file is called that a session is written to.
func (b *Backend) ExportName(id string, opts ExportOptions) (string, error) {
	s, err := b.Get(id)
	return exportName(s, opts) + exportEndings[opts.Format], err
}

func exportName(s Session, opts ExportOptions) string {
	if !opts.Secrets {
		s = withoutSecrets(s, &secrets.Filter{}) // the document counts them
	}
	return fileName(TitleOf(s))
}

// newFile makes a file that was not there: with a number behind its name, where others have it.
func newFile(path, ending string) (*os.File, error) {
	const most = 10_000
	name := path + ending
	for n := 2; n < most; n++ {
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
		name = fmt.Sprintf("%s %d%s", path, n, ending)
	}
	return nil, fmt.Errorf("%s: %w", path, os.ErrExist)
}

// fileName is a title as every system takes it for the name of a file.
func fileName(title string) string {
	const most = 60
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"/\|?*`, r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, title)
	letters := []rune(strings.Join(strings.Fields(clean), " "))
	name := strings.Trim(string(letters[:min(len(letters), most)]), " .")
	if name == "" {
		return "session"
	}
	return name
}
