package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/export"
	"palimpsest/backend/session"
)

const checkLong = `Reads the whole log of one session, or of all, and its metadata, and reports what is damaged. It writes nothing.

  torn      a line that a crash cut short; nothing else is missing. This alone is no reason to fail
  corrupt   any other line that is no record
  order     a seq that is not above the one before
  gap       seqs that are missing

Of another agent's session the places are those in the reading of it, which "show" has; its file has other lines.

What is damaged is left out when the log is read; the rest is used. Exit code 1 says that there is damage other than
torn.

Metadata can be "missing", "torn" (unreadable in whole or in part) or "stale" (not what the log says). --repair rebuilds
it from the log where it isn't "ok", and says what no log can tell. It never touches a log.`

// checked is a report with what was done about it.
type checked struct {
	backend.Checked
	// Repaired is set if metadata was rebuilt; Lost says what the log could not tell of it.
	Repaired bool   `json:"repaired,omitempty"`
	Lost     string `json:"lost,omitempty"`
}

func (p *program) checkCommand() *cobra.Command {
	var repair bool
	cmd := &cobra.Command{
		Use:     "check [ID]",
		Short:   "Verify logs and metadata",
		GroupID: groupLook,
		Long:    checkLong,
		Example: `  palimpsest check
  palimpsest check 01JD9ZK3 --json
  palimpsest check --repair`,
		Args:              takes(0, 1),
		ValidArgsFunction: anySession,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return p.onAny(func(cmd *cobra.Command, b *backend.Backend, id string) error {
					return p.checkOne(cmd.Context(), b, id, repair)
				})(cmd, args)
			}
			b, err := p.open()
			if err != nil {
				return err
			}
			return p.checkAll(cmd.Context(), b, repair)
		},
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "rebuild metadata where it isn't ok")
	return cmd
}

func (p *program) checkOne(ctx context.Context, b *backend.Backend, id string, repair bool) error {
	report, err := b.Check(id)
	if err != nil {
		return err
	}
	done, err := repaired(ctx, b, report, repair)
	if err != nil {
		return err
	}
	if p.json {
		err = p.answer(done)
	} else {
		err = p.reportText(done)
	}
	return damaged(err, done)
}

// checkAll reports on what could be read even where something could not.
func (p *program) checkAll(ctx context.Context, b *backend.Backend, repair bool) error {
	reports, unread := b.CheckAll(ctx)
	if ctx.Err() != nil {
		return unread
	}
	failed := []error{unread}
	all := make([]checked, 0, len(reports))
	for _, report := range reports {
		done, err := repaired(ctx, b, backend.Checked{Report: report}, repair)
		failed = append(failed, err)
		all = append(all, done)
	}
	if p.json {
		failed = append(failed, p.answer(all))
	} else {
		for _, report := range all {
			failed = append(failed, p.reportText(report))
		}
		failed = append(failed, p.say("%s checked", count(len(all), "session", "sessions")))
	}
	if err := errors.Join(failed...); err != nil {
		// One session's not being found is not all that is to be said of a check of many.
		return &fault{err: fmt.Errorf("checking all sessions: %w", err), code: backend.CodeFailed, hint: "the others were checked"}
	}
	return damaged(nil, all...)
}

// damaged is the end of a check: an error if there was one, else whether anything but a torn line was found.
func damaged(err error, reports ...checked) error {
	if err != nil {
		return err
	}
	for _, report := range reports {
		if !report.Sound() {
			return errDamaged
		}
	}
	return nil
}

func repaired(ctx context.Context, b *backend.Backend, report backend.Checked, repair bool) (checked, error) {
	done := checked{Checked: report}
	if !repair || report.Metadata == session.MetadataOK {
		return done, nil
	}
	if err := b.RepairMetadata(ctx, report.ID); err != nil {
		return done, fmt.Errorf("rebuilding metadata: %w", err)
	}
	done.Repaired = true
	if report.Metadata != session.MetadataStale {
		done.Lost = session.Lost
	}
	return done, nil
}

func (p *program) reportText(c checked) error {
	newer := ""
	if c.Newer > 0 {
		newer = fmt.Sprintf(", %d written by a newer version", c.Newer)
	}
	if err := p.say("%s  %s%s; metadata %s", c.ID, count(c.Records, "record", "records"), newer, c.Metadata); err != nil {
		return err
	}
	if c.File != "" {
		if err := p.say("  read from %s", oneLine(c.File)); err != nil {
			return err
		}
	}
	if c.Problem != "" {
		if err := p.say("  only in part: %s", oneLine(c.Problem)); err != nil {
			return err
		}
	}
	for _, d := range c.Damage {
		if err := p.say("  %s: %s: %s", export.PlaceOf(c.ID, d), d.Kind, oneLine(d.Reason)); err != nil {
			return err
		}
	}
	switch {
	case c.Lost != "":
		return p.say("  metadata is rebuilt from the log; no log can tell %s", c.Lost)
	case c.Repaired:
		return p.say("  metadata is rebuilt from the log; nothing was lost")
	case c.Metadata != session.MetadataOK:
		return p.say("  palimpsest check %s --repair rebuilds metadata from the log", c.ID)
	}
	return nil
}
