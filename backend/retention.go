package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/copies"
	"palimpsest/backend/library"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// Retention is what other agents will delete of their sessions, and when.
type Retention struct {
	Agents []AgentRetention `json:"agents"`
	// Sessions are those that go, the soonest first.
	Sessions []Going `json:"sessions"`
}

// AgentRetention is the rule of one agent.
type AgentRetention struct {
	Agent string `json:"agent"`
	// Days is after how many days without use a session goes; nil if none does.
	Days *int                  `json:"days"`
	From sources.RetentionFrom `json:"from"`
	// File is the settings file of the agent.
	File *string `json:"file"`
	// Going is how many go within a week and have no copy of what they are now, Kept how many have a copy.
	Going int `json:"going"`
	Kept  int `json:"kept"`
}

// Going is a session that its agent will delete.
type Going struct {
	ID            string  `json:"id"`
	Agent         string  `json:"agent"`
	Title         *string `json:"title"`
	FirstMessage  *string `json:"firstMessage"`
	Cwd           *string `json:"cwd"`
	LastMessageAt string  `json:"lastMessageAt"`
	// GoesAt is when the agent may delete it: the next time it runs behind that.
	GoesAt string `json:"goesAt"`
	Bytes  *int64 `json:"bytes"`
	// Kept is when a copy was made, and Stale tells that the session went on since.
	Kept  *string `json:"kept"`
	Stale bool    `json:"stale"`
	goes  time.Time
}

// soon is how long before a session goes it is counted as going.
const soon = 7 * sources.Day

// Retention tells what other agents will delete.
func (b *Backend) Retention(ctx context.Context) (Retention, error) {
	out := Retention{Agents: []AgentRetention{}, Sessions: []Going{}}
	if b.library == nil {
		return out, nil
	}
	listing, err := b.library.List(ctx)
	if err != nil {
		return out, err
	}
	for _, problem := range listing.Problems {
		b.warn(problem)
	}
	now := b.now()
	for _, rule := range b.library.Retentions() {
		told := AgentRetention{Agent: rule.Agent, Days: rule.Days, From: rule.From, File: known(rule.File)}
		for i := range listing.Found {
			found := &listing.Found[i]
			if found.Agent != rule.Agent {
				continue
			}
			if !found.KeptAt.IsZero() && found.EarlierOf == "" {
				told.Kept++
			}
			if rule.Days == nil || found.FromCopy || len(found.Files) == 0 {
				continue
			}
			going, ok := goingOf(found, *rule.Days)
			if !ok {
				continue
			}
			if (going.Kept == nil || going.Stale) && going.goes.Before(now.Add(soon)) {
				told.Going++
			}
			out.Sessions = append(out.Sessions, going)
		}
		out.Agents = append(out.Agents, told)
	}
	slices.SortFunc(out.Sessions, func(a, b Going) int {
		if c := a.goes.Compare(b.goes); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out, nil
}

// goingOf tells when a session goes: so many days after its file was written last or, where it shares that with others, itself.
func goingOf(found *sources.Found, days int) (Going, bool) {
	info, err := os.Stat(found.Files[0])
	if err != nil {
		return Going{}, false // gone already
	}
	written := info.ModTime()
	if found.InTables() {
		written = found.UpdatedAt
	}
	if written.IsZero() {
		return Going{}, false // nobody can tell
	}
	const most = 100_000 // what is further away has no date that all readers take
	goes := written.AddDate(0, 0, min(days, most))
	out := Going{
		ID: library.Ref{Agent: found.Agent, ID: found.ID}.String(), Agent: found.Agent, Title: known(found.Title),
		FirstMessage: known(found.FirstMessage), Cwd: known(found.Cwd), LastMessageAt: stamp(lastOf(found)), GoesAt: stamp(goes),
		goes: goes, Stale: !found.KeptAt.IsZero() && written.After(found.KeptAt),
	}
	if found.Bytes > 0 {
		out.Bytes = &found.Bytes
	}
	if !found.KeptAt.IsZero() {
		out.Kept = known(stamp(found.KeptAt))
	}
	return out, true
}

// Kept is what became of a session that was to be kept.
type Kept struct {
	ID     string  `json:"id"`
	KeptAt *string `json:"keptAt"`
	Bytes  int64   `json:"bytes"`
	// Problem is why it was not, nil if it was.
	Problem *Problem `json:"problem"`
}

// Keep copies the files of other agents' sessions, and of the subagents that these started, so that they stay. One that fails keeps no
// other from being kept.
func (b *Backend) Keep(ctx context.Context, ids []string) ([]Kept, error) {
	out := []Kept{}
	for _, id := range ids {
		ref, err := library.ParseRef(id)
		switch {
		case err != nil:
		case b.library == nil:
			err = b.withoutAgents(ref)
		default:
			var bytes int64
			var at time.Time
			if bytes, at, err = b.keep(ctx, ref); err == nil {
				b.news.publish(EventChanged, ref.String())
				out = append(out, Kept{ID: id, KeptAt: known(stamp(at)), Bytes: bytes})
				continue
			}
		}
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		problem := ProblemOf(err)
		out = append(out, Kept{ID: id, Problem: &problem})
	}
	return out, nil
}

func (b *Backend) keep(ctx context.Context, ref library.Ref) (bytes int64, at time.Time, err error) {
	c, err := b.library.Keep(ctx, ref)
	if err != nil {
		return 0, at, err
	}
	_, family, err := b.startedBy(ctx, ref.String())
	for _, below := range family.descend(ref) {
		if _, belowErr := b.library.Keep(ctx, below); belowErr != nil {
			err = errors.Join(err, belowErr)
		}
	}
	return c.Bytes(), c.KeptAt, err
}

// KeptCopy is a copy that there is.
type KeptCopy struct {
	ID     string  `json:"id"`
	Title  *string `json:"title"`
	KeptAt string  `json:"keptAt"`
	Bytes  int64   `json:"bytes"`
	// There tells that the session's own files still are.
	There bool `json:"there"`
	// EarlierOf is the session that this is an earlier state of: it has what that one lacks by now.
	EarlierOf *string `json:"earlierOf"`
}

// KeptCopies are the copies there are, the newest first.
func (b *Backend) KeptCopies(ctx context.Context) ([]KeptCopy, error) {
	out := []KeptCopy{}
	if b.library == nil {
		return out, nil
	}
	all, err := b.library.Copies().All("")
	if err != nil {
		b.warn(err)
	}
	listing, err := b.library.List(ctx)
	if err != nil {
		return out, err
	}
	there := map[library.Ref]bool{}
	for i := range listing.Found {
		found := &listing.Found[i]
		there[library.Ref{Agent: found.Agent, ID: found.ID}] = !found.FromCopy
	}
	for i := range all {
		ref := library.Ref{Agent: all[i].Agent, ID: all[i].ID}
		kept := KeptCopy{ID: ref.String(), Title: known(all[i].Session.Title), KeptAt: stamp(all[i].KeptAt), Bytes: all[i].Bytes(), There: there[ref]}
		if of := all[i].Of; of != "" {
			kept.EarlierOf = known(library.Ref{Agent: ref.Agent, ID: of}.String())
		}
		out = append(out, kept)
	}
	slices.SortFunc(out, func(a, b KeptCopy) int { return strings.Compare(b.KeptAt, a.KeptAt) })
	return out, nil
}

// DropCopy removes a copy. Where the session's own files are gone, nothing is left of it then.
func (b *Backend) DropCopy(id string) error {
	if !library.IsRef(id) {
		if err := session.CheckID(id); err != nil {
			return err
		}
		return fmt.Errorf("session %s: %w: it is yours", id, copies.ErrNone)
	}
	ref, err := library.ParseRef(id)
	if err != nil {
		return err
	}
	if b.library == nil {
		return b.withoutAgents(ref)
	}
	if err := b.library.Drop(ref); err != nil {
		return err
	}
	b.news.publish(EventChanged, ref.String())
	return nil
}
