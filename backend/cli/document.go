package cli

import (
	"palimpsest/backend"
	"palimpsest/backend/export"
	"palimpsest/backend/secrets"
)

// document prints a session as Markdown.
type document struct {
	*export.Markdown
	p      *program
	filter *secrets.Filter
}

func (p *program) newDocument(s backend.Session, filter *secrets.Filter) document {
	return document{export.NewMarkdown(p.out, backend.AboutOf(s, filter), filter), p, filter}
}

func (d document) visit(line *backend.Shown) error { return line.WriteMarkdown(d.Markdown) }

func (d document) end() error {
	err := d.End()
	if d.filter != nil {
		d.p.noteLeftOut(d.filter.Count)
	}
	return err
}
