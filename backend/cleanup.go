package backend

import (
	"context"
	"fmt"
	"os"
	"strings"
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
	// Only, if not nil, leaves out all others than these, which somebody was shown before.
	Only []string `json:"only"`
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
// fork has all it needs. Those that are talked in right now stay, and those for which text lies on the desk that was not sent.
func (b *Backend) CleanUp(ctx context.Context, rule Cleanup) (Cleaned, error) {
	out := Cleaned{Sessions: []Session{}, Failed: []CleanupFailure{}}
	if rule.OlderThanDays < 1 {
		return out, fmt.Errorf("%w: older than %d days: at least 1 day", session.ErrInput, rule.OlderThanDays)
	}
	if rule.MaxMessages != nil && *rule.MaxMessages < 0 {
		return out, fmt.Errorf("%w: at most %d messages: a number from 0 on", session.ErrInput, *rule.MaxMessages)
	}
	all, err := b.store.List(ctx, session.ListOptions{Only: rule.Only})
	if err != nil {
		return out, err
	}
	const most = 100_000 // before that there was nothing
	before := b.now().AddDate(0, 0, -min(rule.OlderThanDays, most))
	unfinished, err := b.unfinished()
	if err != nil {
		return out, err
	}
	var ids []string
	for i := range all {
		if !rule.takes(&all[i], before) || unfinished[all[i].ID] || b.agent.State(all[i].ID).Running != nil {
			continue
		}
		var size int64
		if info, err := os.Stat(all[i].Path); err == nil {
			size = info.Size()
		}
		if !rule.DryRun {
			gone, err := b.store.TrashIf(ctx, all[i].ID, func(now session.Summary) bool { return rule.takes(&now, before) })
			if err != nil {
				out.Failed = append(out.Failed, CleanupFailure{all[i].ID, ProblemOf(err)})
			}
			if err != nil || !gone {
				continue
			}
		}
		out.Sessions = append(out.Sessions, sessionOf(&all[i]))
		out.Bytes += size
		ids = append(ids, all[i].ID)
	}
	out.Count = len(out.Sessions)
	if !rule.DryRun && out.Count > 0 {
		b.warnOf(b.lastList.drop(ids...))
	}
	return out, nil
}

// unfinished are the sessions for which something lies on the desk that somebody wrote: not sent, or a draft of a summary.
func (b *Backend) unfinished() (map[string]bool, error) {
	keys, err := b.desk.Keys()
	ids := map[string]bool{}
	for _, key := range keys {
		kind, id, _ := strings.Cut(key, ".")
		switch {
		case kind == "unsent", kind == "attached", kind == "review", kind == strings.TrimSuffix(deskReturned, "."), strings.HasPrefix(kind, deskQueued):
			ids[id] = true
		}
	}
	return ids, err
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
