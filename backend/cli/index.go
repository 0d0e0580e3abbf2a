package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/scan"
)

const indexLong = `The index is what makes search, stats and ledger quick: the texts of all sessions, yours and those of other agents,
and what is counted of them. It is in the cache directory; deleting it loses nothing but the sessions whose own files
are gone.

status says how far it is (the default), scan brings it up to date, rebuild reads everything again. Only what is new or
has changed is read, and once: what another program reads at the time is waited for. A session that can't be read is
passed over until it has changed.

forget forgets sessions whose own files are gone: no list, search or number has them any more, and no file of the index
or the cache a byte of them. Should their files come back, they are found again.`

func (p *program) indexCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:       "index [status|scan|rebuild]",
		Short:     "The index of all sessions: how far it is, bring it up to date, and forget what is gone",
		GroupID:   groupLook,
		Long:      indexLong,
		Example:   "  palimpsest index\n  palimpsest index scan\n  palimpsest index forget claudecode:7d1c5a2e-0f1b-4a57-9d55-2f4c1f9f3a10",
		Args:      takes(0, 1),
		ValidArgs: []string{"status", "scan", "rebuild"},
		RunE: func(cmd *cobra.Command, args []string) error {
			what := "status"
			if len(args) > 0 {
				what = args[0]
			}
			if what != "status" && what != "scan" && what != "rebuild" {
				return badInput(cmd, "index: %q is not status, scan, rebuild or forget", what)
			}
			b, err := p.open()
			if err != nil {
				return err
			}
			if what != "status" {
				if err := p.bringUp(cmd, b, what == "rebuild"); err != nil {
					return err
				}
			}
			status, err := b.IndexStatus(cmd.Context())
			if err != nil {
				return err
			}
			if p.json {
				return p.answer(status)
			}
			return p.indexText(&status)
		},
	}
	cmd.AddCommand(p.indexForgetCommand())
	return cmd
}

// bringUp brings the index up to date, and shows on a terminal how far it is.
func (p *program) bringUp(cmd *cobra.Command, b *backend.Backend, rebuild bool) error {
	told := ""
	show := func(s scan.State) {
		text := fmt.Sprintf("%d of %d sessions to read", s.Waiting, s.Sessions)
		if s.Elsewhere {
			text += "; another program reads them, and is waited for"
		}
		if p.terminal.err && text != told {
			told = text
			p.err.print("\r\x1b[K%s", text)
		}
	}
	err := b.Scan(cmd.Context(), rebuild, show)
	if told != "" {
		p.err.print("\r\x1b[K")
	}
	return err
}

func (p *program) indexText(s *backend.IndexStatus) error {
	first := fmt.Sprintf("%s: %d of %d sessions, %s", s.State, s.Indexed, s.Sessions, size(s.DiskBytes))
	if s.Problem != nil && s.DiskBytes == 0 { // there is none, so nothing was counted
		first = s.State
	}
	if err := p.say("%s", first); err != nil {
		return err
	}
	if s.State == "idle" && s.Waiting > 0 && s.Problem == nil {
		if err := p.say("not read yet: %d; palimpsest index scan reads them, as a search does, and the window while it is open", s.Waiting); err != nil {
			return err
		}
	}
	if s.Problem != nil {
		if err := p.say("problem: %s", oneLine(*s.Problem)); err != nil {
			return err
		}
	}
	if s.Unwatched != nil {
		if err := p.say("changes show late: %s", *s.Unwatched); err != nil {
			return err
		}
	}
	for _, skipped := range s.Skipped {
		if err := p.say("%s: %d", skippedNames[skipped.Reason], skipped.Count); err != nil {
			return err
		}
		for _, id := range skipped.IDs {
			if err := p.say("  %s", oneLine(id)); err != nil {
				return err
			}
		}
	}
	return nil
}

var skippedNames = map[string]string{
	"tooLarge": "too large, at least in part", "damaged": "with lines that can't be read", "unreadable": "can't be read",
	"gone": "their files are gone or can't be read, and the index still has their texts",
}

// size is a number of bytes as people read it.
func size(bytes int64) string {
	const step = 1000
	value, unit := float64(bytes), "bytes"
	for _, next := range []string{"kB", "MB", "GB", "TB"} {
		if value < step {
			break
		}
		value, unit = value/step, next
	}
	if unit == "bytes" {
		return strconv.FormatInt(bytes, 10) + " bytes"
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}
