package backend

import (
	"context"
	"fmt"
	"io"

	"palimpsest/backend/export"
	"palimpsest/backend/record"
	"palimpsest/backend/secrets"
)

// exportMarkdown writes a session as a document for people.
func (b *Backend) exportMarkdown(ctx context.Context, id string, filter *secrets.Filter, out io.Writer) error {
	s, err := b.Get(id)
	if err != nil {
		return err
	}
	doc := export.NewMarkdown(out, AboutOf(s, filter), filter)
	err = b.Show(ctx, id, ShowOptions{Exact: true}, func(line *Shown) error { return line.WriteMarkdown(doc) })
	if err != nil {
		return err
	}
	return doc.End()
}

// WriteMarkdown adds a line to a document.
func (l *Shown) WriteMarkdown(doc *export.Markdown) error {
	for _, damage := range l.Damage {
		if err := doc.Damage(damage); err != nil {
			return err
		}
	}
	if l.JSON == nil {
		return nil
	}
	rec, err := record.DecodeShared(l.JSON)
	if err != nil {
		return fmt.Errorf("line %d changed on disk while it was read: %w", l.Number, err)
	}
	return doc.Add(&rec, MarkOf(l.State, &rec))
}

// MarkOf is a word for those states of a record that are worth one, and that its headline does not tell.
func MarkOf(s State, rec *record.Record) string {
	switch s {
	case StatePruned:
		return "cleared"
	case StateDropped:
		if !rec.Aside() {
			return "left out"
		}
	case StateSuperseded:
		return "superseded"
	case StateOffPath:
		return "on a branch that was left"
	case StateReverted:
		return "undone"
	case StateInForce:
		return "in force"
	case StateFolded:
		return "folded into a later one"
	case StateKept, StateFresh, StateMeta, StateNewer:
	}
	return ""
}

// AboutOf is what a document says of its session, without the secrets that a filter takes out; nil leaves them in.
func AboutOf(s Session, filter *secrets.Filter) export.About {
	s = withoutSecrets(s, filter)
	return export.About{
		Title: TitleOf(s), ID: s.ID, Created: s.CreatedAt, Model: s.Model, Folder: deref(s.Cwd), ForkedFrom: s.ParentSessionID,
	}
}

// TitleOf is what a person knows a session by, harmless to a terminal.
func TitleOf(s Session) string {
	text := export.OneLine(deref(s.Name))
	if text == "" {
		text = export.OneLine(deref(s.FirstMessage))
	}
	if text == "" {
		text = "(untitled)"
		if s.MessageCount != nil && *s.MessageCount == 0 {
			text = "(empty)"
		}
	}
	if s.ArchivedAt != nil {
		text = "[archived] " + text
	}
	if s.Problem != nil {
		text = "[can't be read] " + text
	}
	return text
}
