package backend

import (
	"context"
	"fmt"
	"io"
	"time"

	"palimpsest/backend/export"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Export writes a session in a format: markdown, jsonl or pi.
func (b *Backend) Export(ctx context.Context, id, format string, out io.Writer) error {
	switch format {
	case "markdown":
		return b.ExportMarkdown(ctx, id, out)
	case "jsonl":
		return b.ExportLog(ctx, id, out)
	case "pi":
		return b.ExportPi(ctx, id, out)
	}
	return fmt.Errorf("%w: format is %q, not markdown, jsonl or pi", session.ErrInput, format)
}

// ExportLog writes a session's log as it is; of a session of another agent, our reading of it.
func (b *Backend) ExportLog(ctx context.Context, id string, out io.Writer) error {
	_, log, err := b.openLog(id)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // opened for reading
	info, err := log.Stat()
	if err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	_, err = io.Copy(out, io.NewSectionReader(cancellable{ctx, log}, 0, info.Size()))
	if err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	return nil
}

// ExportPi writes a session as a file of pi.
func (b *Backend) ExportPi(ctx context.Context, id string, out io.Writer) error {
	s, err := b.Get(id)
	if err != nil {
		return err
	}
	created, _ := time.Parse(time.RFC3339Nano, s.CreatedAt) // our own stamp
	about := export.Session{ID: id, Cwd: deref(s.Cwd), Name: deref(s.Name), Model: s.Model, CreatedAt: created}
	pi := export.NewPi(out, about, func(sha string) ([]byte, error) { return b.blobOf(id, sha) })
	err = b.Show(ctx, id, ShowOptions{}, func(line *Shown) error {
		if line.JSON == nil {
			return nil
		}
		rec, err := record.Decode(line.JSON)
		if err != nil {
			return nil //nolint:nilerr // damaged behind its header: there is nothing in it to write
		}
		return pi.Add(&rec, line.State == StateReverted)
	})
	if err != nil {
		return err
	}
	return pi.End()
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
