package backend

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/library"
	"palimpsest/backend/sources"
)

// Retention is what other agents will delete of their sessions, and when.
type Retention struct {
	Agents []AgentRetention `json:"agents"`
	// Sessions are those that go, the soonest first.
	Sessions []Going `json:"sessions"`
	// Total is how many go, and Open how many of them have no copy of what they are now; of a part, too.
	Total int `json:"total"`
	Open  int `json:"open"`
}

// RetentionOptions keep the sessions that have no copy of what they are now, and so many of those that go the soonest; 0 for all.
type RetentionOptions struct {
	Open  bool
	Limit int
}

func (o RetentionOptions) take(told *Retention) {
	told.Total = len(told.Sessions)
	open := slices.DeleteFunc(slices.Clone(told.Sessions), func(g Going) bool { return !g.open() })
	told.Open = len(open)
	if o.Open {
		told.Sessions = open
	}
	if o.Limit > 0 {
		told.Sessions = told.Sessions[:min(o.Limit, len(told.Sessions))]
	}
}

// AgentRetention is the rule of one agent.
type AgentRetention struct {
	Agent string `json:"agent"`
	// Days is after how many days without use a session goes; nil if none does.
	Days *int `json:"days"`
	// Most is how many stay of those of one folder, with that which is in use when the agent runs; nil for any number.
	Most *int                  `json:"most,omitempty"`
	From sources.RetentionFrom `json:"from"`
	// File is the settings file of the agent.
	File *string `json:"file"`
	// Sessions is how many of them there are, those of which a copy alone is left included.
	Sessions int `json:"sessions"`
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
	// Problem is why it can't be read; it goes all the same.
	Problem *string `json:"problem"`
	goes    time.Time
}

// open tells of one that has no copy of what it is now.
func (g *Going) open() bool { return g.Kept == nil || g.Stale }

// soon is how long before a session goes it is counted as going.
const soon = 7 * sources.Day

// Retention tells what other agents will delete.
func (b *Backend) Retention(ctx context.Context, opts RetentionOptions) (Retention, error) {
	out := Retention{Agents: []AgentRetention{}, Sessions: []Going{}}
	if b.library == nil {
		return out, nil
	}
	listing, err := b.listing(ctx)
	if err != nil {
		return out, err
	}
	for _, problem := range listing.Problems {
		b.warn(problem)
	}
	now := b.now()
	rules := b.library.Retentions()
	for n, rule := range rules {
		if rule.Unread != nil {
			b.warn(fmt.Errorf("%s may delete sessions at another time, since its settings can't be read: %w", rule.Agent, rule.Unread))
		}
		told := AgentRetention{Agent: rule.Agent, Days: rule.Days, From: rule.From, File: known(rule.File)}
		if rule.Most > 0 {
			told.Most = &rule.Most
		}
		of := slices.DeleteFunc(slices.Clone(listing.Found), func(found *sources.Found) bool { return ruleFor(rules, found) != n })
		many := beyond(of, rule.Most)
		for _, found := range of {
			told.Sessions++
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
			if many[found] && now.Before(going.goes) {
				going.goes, going.GoesAt = now, stamp(now)
			}
			if going.open() && going.goes.Before(now.Add(soon)) {
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
	opts.take(&out)
	return out, nil
}

// beyond are the sessions that go the next time their agent runs, since so many stay of a folder, the newest: that which is begun then is one
// of them.
func beyond(all []*sources.Found, most int) map[*sources.Found]bool {
	out := map[*sources.Found]bool{}
	if most == 0 {
		return out
	}
	folders := map[string][]*sources.Found{}
	for _, found := range all {
		if !found.FromCopy && len(found.Files) > 0 {
			dir := filepath.Dir(found.Files[0])
			folders[dir] = append(folders[dir], found)
		}
	}
	for _, of := range folders {
		slices.SortFunc(of, func(a, b *sources.Found) int { return lastOf(b).Compare(lastOf(a)) })
		for _, found := range of[min(most-1, len(of)):] {
			out[found] = true
		}
	}
	return out
}

// ruleFor is the number of the rule that a session goes by, none if it is -1. A copy counts where its session was or, if no rule is for that
// place any more, with the agent's first.
func ruleFor(rules []library.Retention, found *sources.Found) int {
	path := found.Stood
	if !found.FromCopy && len(found.Files) > 0 {
		path = found.Files[0]
	}
	at := slices.IndexFunc(rules, func(r library.Retention) bool { return r.Agent == found.Agent && under(path, r.Under) })
	if at < 0 && found.FromCopy {
		at = slices.IndexFunc(rules, func(r library.Retention) bool { return r.Agent == found.Agent })
	}
	return at
}

// under tells whether a file is in a folder, which may be empty for any.
func under(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return dir == "" || err == nil && filepath.IsLocal(rel)
}

// goingOf tells when a session goes: so many days after its file was written last or, where it shares that with others, itself. Of a
// database that can't be read nobody can tell; it is no session, and no agent deletes it.
func goingOf(found *sources.Found, days int) (Going, bool) {
	info, err := os.Stat(found.Files[0])
	if err != nil || found.InTables() && found.Problem != "" {
		return Going{}, false
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
		goes: goes, Problem: known(found.Problem), Stale: !found.KeptAt.IsZero() && written.After(found.KeptAt),
	}
	if found.Within != "" { // it goes with its file, and what is written there may be of others
		out.Stale = !found.KeptAt.IsZero() && found.UpdatedAt.After(found.KeptAt)
	}
	if found.Bytes > 0 {
		out.Bytes = &found.Bytes
	}
	if !found.KeptAt.IsZero() {
		out.Kept = known(stamp(found.KeptAt))
	}
	return out, true
}
