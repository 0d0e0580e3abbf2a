package backend

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/sources"
)

// remembrance is what lists take from the index: numbers of the sessions that are there, and all of those that are not.
type remembrance struct {
	briefs   map[string]digest.Brief
	vanished []digested
}

// remembered asks the index what it knows while sessions are looked for. A list does without where it can't say.
func (b *Backend) remembered(ctx context.Context) func() remembrance {
	done := make(chan remembrance, 1)
	go func() {
		told, err := b.rememberAll(ctx)
		if err != nil && ctx.Err() == nil && !errors.Is(err, errIndexOff) {
			b.warn(err)
		}
		done <- told
	}()
	return func() remembrance { return <-done }
}

func (b *Backend) rememberAll(ctx context.Context) (told remembrance, err error) {
	x, err := b.openIndex()
	if err != nil {
		return told, err
	}
	rows, err := x.Sessions(ctx)
	if err != nil {
		return told, fmt.Errorf("asking the index: %w", err)
	}
	told.briefs = make(map[string]digest.Brief, len(rows))
	for i := range rows {
		told.take(&rows[i])
	}
	return told, nil
}

func (r *remembrance) take(row *index.Session) {
	if row.Gone {
		if d, err := digest.Decode(row.Digest); err == nil {
			r.vanished = append(r.vanished, digested{d, row.ID, row.Updated, true})
		}
		return
	}
	if brief, ok := digest.BriefOf(row.Digest); ok && library.IsRef(row.ID) {
		r.briefs[row.ID] = brief
	}
}

// gone are the rows of sessions that vanished, and that no source has found again by now.
func (r *remembrance) gone(found []sources.Found, opts ListOptions) (rows []row) {
	if len(r.vanished) == 0 {
		return nil
	}
	there := make(map[string]bool, len(found))
	for i := range found {
		there[library.Ref{Agent: found[i].Agent, ID: found[i].ID}.String()] = true
	}
	for i := range r.vanished {
		d := &r.vanished[i]
		agent, _, _ := strings.Cut(d.ID, ":")
		if there[d.ID] || opts.Agent != "" && opts.Agent != agent || d.About.Relation == string(sources.Subagent) && !opts.Subagents {
			continue
		}
		rows = append(rows, goneRow(d))
	}
	return rows
}

// briefed puts in what the index knows.
func (s *Session) briefed(b digest.Brief) {
	if s.MessageCount == nil {
		s.MessageCount = &b.Messages
	}
	if s.Compactions == nil {
		s.Compactions = &b.Compactions
	}
	if s.Model == "" {
		s.Model = b.Model
	}
}
