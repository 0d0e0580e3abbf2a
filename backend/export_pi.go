package backend

import (
	"context"
	"io"
	"time"

	"palimpsest/backend/export"
	"palimpsest/backend/record"
	"palimpsest/backend/secrets"
	"palimpsest/backend/session"
)

// exportPi writes a session as a file of pi.
func (b *Backend) exportPi(ctx context.Context, id string, filter *secrets.Filter, out io.Writer) error {
	s, err := b.Get(id)
	if err != nil {
		return err
	}
	created, _ := time.Parse(time.RFC3339Nano, s.CreatedAt) // our own stamp
	about := export.Session{ID: id, Cwd: deref(s.Cwd), Name: deref(s.Name), Model: s.Model, CreatedAt: created}
	pi := export.NewPi(out, about, func(sha string) ([]byte, error) { return b.blobOf(id, sha) }, filter)
	err = b.Show(ctx, id, ShowOptions{}, func(line *Shown) error {
		if line.JSON == nil {
			return nil
		}
		rec, err := record.DecodeShared(line.JSON)
		if err != nil {
			return nil //nolint:nilerr // damaged behind its header: there is nothing in it to write
		}
		undone := line.State == StateReverted
		if c := rec.Compaction; c != nil && !undone && pi.Apart(c) {
			if c.Replacement, err = b.seenAfter(id, &line.Line); err != nil {
				return err
			}
		}
		return pi.Add(&rec, undone)
	})
	if err != nil {
		return err
	}
	return pi.End()
}

// seenAfter is what the model saw when a line had been written.
func (b *Backend) seenAfter(id string, line *session.Line) ([]record.Message, error) {
	meta, log, err := b.openLog(id)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // opened for reading
	seen, err := resolveAt(id, log, line.Offset+line.Length, meta.Model)
	out := make([]record.Message, len(seen.Messages))
	for i := range seen.Messages {
		m := &seen.Messages[i]
		out[i] = record.Message{Role: m.Role, Content: m.Content, ToolCallID: m.ToolCallID, IsError: m.IsError, StopReason: m.StopReason}
	}
	return out, err
}
