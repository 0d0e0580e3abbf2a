package cli

import (
	"io"

	"palimpsest/backend"
	"palimpsest/backend/export"
)

// document prints a session as Markdown.
type document struct{ *export.Markdown }

func newDocument(out io.Writer, s backend.Session) document {
	return document{export.NewMarkdown(out, backend.AboutOf(s), nil)}
}

func (d document) visit(line *backend.Shown) error { return line.WriteMarkdown(d.Markdown) }

func (d document) end() error { return d.End() }
