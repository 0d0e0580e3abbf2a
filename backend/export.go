package backend

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"palimpsest/backend/library"
	"palimpsest/backend/secrets"
	"palimpsest/backend/session"
)

// ExportOptions of [Backend.Export].
type ExportOptions struct {
	// Format is markdown, jsonl or pi.
	Format string
	// Secrets keeps them. Otherwise what looks like one is left out, except of a log of ours, which is copied as it is.
	Secrets bool
}

// Export writes a session in a format, and returns how many secrets it left out.
func (b *Backend) Export(ctx context.Context, id string, opts ExportOptions, out io.Writer) (leftOut int, err error) {
	filter := &secrets.Filter{}
	if opts.Secrets {
		filter = nil
	}
	switch opts.Format {
	case "markdown":
		err = b.exportMarkdown(ctx, id, filter, out)
	case "jsonl":
		err = b.exportLog(ctx, id, filter, out)
	case "pi":
		err = b.exportPi(ctx, id, filter, out)
	default:
		err = fmt.Errorf("%w: format is %q, not markdown, jsonl or pi", session.ErrInput, opts.Format)
	}
	if filter != nil {
		leftOut = filter.Count
	}
	return leftOut, err
}

// exportLog writes a session's log as it is; of a session of another agent, our reading of it.
func (b *Backend) exportLog(ctx context.Context, id string, filter *secrets.Filter, out io.Writer) error {
	meta, log, err := b.openLog(id)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // opened for reading
	length, err := lengthOf(id, &meta, log)
	if err != nil {
		return err
	}
	lines := io.NewSectionReader(cancellable{ctx, log}, 0, length)
	if filter != nil && library.IsRef(id) {
		err = filterLines(lines, filter, out)
	} else {
		_, err = io.Copy(out, lines)
	}
	if err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	return nil
}

// filterLines writes lines without their secrets.
func filterLines(in io.Reader, filter *secrets.Filter, out io.Writer) error {
	lines := bufio.NewReaderSize(in, showBuffer)
	for {
		line, err := lines.ReadBytes('\n')
		if _, err := out.Write(filter.JSON(line)); err != nil {
			return fmt.Errorf("writing the log: %w", err)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the log: %w", err)
		}
	}
}

// withoutSecrets is a session as exports speak of it. What stands in its first message is counted there.
func withoutSecrets(s Session, filter *secrets.Filter) Session {
	strip := func(text *string, filter *secrets.Filter) *string {
		if text == nil {
			return nil
		}
		clean := filter.Text(*text)
		return &clean
	}
	s.Name, s.Cwd = strip(s.Name, filter), strip(s.Cwd, filter)
	if filter != nil {
		s.FirstMessage = strip(s.FirstMessage, &secrets.Filter{})
	}
	return s
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
