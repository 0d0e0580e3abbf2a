package backend

import (
	"context"
	"fmt"
	"os"
	"time"

	"palimpsest/backend/session"
)

// Cleanup is a rule for old sessions of ours.
type Cleanup struct {
	// OlderThanDays is how long nothing was said in them; at least 1.
	OlderThanDays int `json:"olderThanDays"`
	// KeepNamed leaves out those that the user gave a name.
	KeepNamed bool `json:"keepNamed"`
	// MaxMessages leaves out those that have more messages; nil for any.
	MaxMessages *int `json:"maxMessages"`
	// DryRun only tells what would go.
	DryRun bool `json:"dryRun"`
}

// Cleaned is what goes, or went, to the trash.
type Cleaned struct {
	Sessions []Session `json:"sessions"`
	Count    int       `json:"count"`
	// Bytes is what their logs hold.
	Bytes int64 `json:"bytes"`
	// Failed are those that could not be moved, with why; they are where they were.
	Failed []CleanupFailure `json:"failed"`
}

// CleanupFailure is a session that stayed.
type CleanupFailure struct {
	ID      string  `json:"id"`
	Problem Problem `json:"problem"`
}

// CleanUp moves old sessions to the trash, or tells which it would move. Archived ones count, and those that others were forked from: a
// fork has all it needs. Those that are talked in right now stay.
func (b *Backend) CleanUp(ctx context.Context, rule Cleanup) (Cleaned, error) {
	out := Cleaned{Sessions: []Session{}, Failed: []CleanupFailure{}}
	if rule.OlderThanDays < 1 {
		return out, fmt.Errorf("%w: older than %d days: at least 1 day", session.ErrInput, rule.OlderThanDays)
	}
	if rule.MaxMessages != nil && *rule.MaxMessages < 0 {
		return out, fmt.Errorf("%w: at most %d messages: a number from 0 on", session.ErrInput, *rule.MaxMessages)
	}
	all, err := b.store.List(ctx, session.ListOptions{})
	if err != nil {
		return out, err
	}
	const most = 100_000 // before that there was nothing
	before := b.now().AddDate(0, 0, -min(rule.OlderThanDays, most))
	for i := range all {
		if !rule.takes(&all[i], before) || b.agent.State(all[i].ID).Running != nil {
			continue
		}
		var size int64
		if info, err := os.Stat(all[i].Path); err == nil {
			size = info.Size()
		}
		if !rule.DryRun {
			if err := b.store.Trash(ctx, all[i].ID); err != nil {
				out.Failed = append(out.Failed, CleanupFailure{all[i].ID, ProblemOf(err)})
				continue
			}
		}
		out.Sessions = append(out.Sessions, sessionOf(all[i]))
		out.Bytes += size
	}
	out.Count = len(out.Sessions)
	return out, nil
}

func (c *Cleanup) takes(s *session.Summary, before time.Time) bool {
	switch {
	case !s.LastMessageAt.Before(before):
		return false
	case c.KeepNamed && s.Name != "" && s.NamedBy != session.NamedByWords && s.NamedBy != session.NamedByModel:
		return false
	case c.MaxMessages != nil && (!s.Known || s.MessageCount > *c.MaxMessages):
		return false
	}
	return true
}
