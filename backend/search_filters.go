package backend

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/library"
	"palimpsest/backend/query"
	"palimpsest/backend/session"
)

// chooser decides by the filters of a query which sessions and which of their texts are looked at.
type chooser struct {
	filters []query.Filter
	all     map[string]digested
	now     time.Time
	// finding tells that texts are looked for, and not only sessions: then filters of time choose texts.
	finding bool
	// imported are the sessions that are copies; only made if a filter asks for them.
	imported map[string]bool
	// runs are the fates of the lines of sessions, as they are asked for.
	runs sync.Map
}

// resolve finds out what the digests don't tell, if a filter asks for it.
func (c *chooser) resolve(ctx context.Context, b *Backend) error {
	if !slices.ContainsFunc(c.filters, func(f query.Filter) bool { return f.Name == query.Is && slices.Contains(f.Values(), "imported") }) {
		return nil
	}
	own, err := b.store.List(ctx, session.ListOptions{Quick: true})
	if err != nil {
		return err
	}
	c.imported = map[string]bool{}
	for i := range own {
		c.imported[own[i].ID] = own[i].ImportedFrom != nil
	}
	return nil
}

// alternatives are all values of the filters of a name of which one is enough; not ok if there is no such filter.
func (c *chooser) alternatives(name query.Name) (values []string, ok bool) {
	for _, f := range c.filters {
		if f.Name == name && !f.Not {
			values = append(values, f.Values()...)
		}
	}
	return values, len(values) > 0
}

// aboutTexts tells whether a filter chooses texts, and not only sessions.
func (c *chooser) aboutTexts() bool { return len(c.tools()) > 0 || c.aboutFates() }

func (c *chooser) aboutFates() bool {
	return slices.ContainsFunc(c.filters, func(f query.Filter) bool { return f.Name == query.In })
}

// tools are the tools whose texts are wanted, in all the ways in which agents write them.
func (c *chooser) tools() []string {
	asked, ok := c.alternatives(query.Tool)
	if !ok {
		return nil
	}
	names := slices.Clone(asked)
	for _, d := range c.all {
		for _, tool := range asked {
			for name := range called(d.Digest, tool) {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// unknownAgents says of which agents there is no session at all: they may be misspelt.
func (c *chooser) unknownAgents() (problems []string) {
	asked, _ := c.alternatives(query.Agent)
	for _, value := range asked {
		there := map[string]bool{}
		for id, d := range c.all {
			there[agentWord(d.About.Agent)] = true
			there[ownAgent] = there[ownAgent] || !library.IsRef(id)
		}
		if !there[agentWord(value)] {
			problems = append(problems, fmt.Sprintf("There is no session of “%s”.", headOf(value)))
		}
	}
	return problems
}

// keeps tells whether a session is looked at.
func (c *chooser) keeps(id string) bool {
	d, ok := c.all[id]
	if !ok {
		return false
	}
	met, asked := map[query.Name]bool{}, map[query.Name]bool{}
	for _, f := range c.filters {
		holds := c.holds(f, &d)
		switch {
		case f.Not:
			if holds && f.Name != query.In && f.Name != query.Scope && !(c.finding && isTime(f)) { // those leave out texts
				return false
			}
		case c.finding && isTime(f): // its texts tell, if it went on for so long
			if from := f.Span(c.now).From; f.Name != query.Before && d.Updated.Before(from) && d.Last.Before(from) {
				return false
			}
		case f.Name == query.Is || isTime(f) || f.Name == query.Compactions:
			if !holds {
				return false
			}
		default:
			asked[f.Name] = true
			met[f.Name] = met[f.Name] || holds
		}
	}
	for name := range asked {
		if !met[name] {
			return false
		}
	}
	return true
}

// holds tells whether a filter, whatever its sign, is true of a session or of some of its texts.
func (c *chooser) holds(f query.Filter, d *digested) bool {
	a := &d.About
	one := func(has func(value string) bool) bool { return slices.ContainsFunc(f.Values(), has) }
	switch f.Name {
	case query.Agent:
		return one(func(value string) bool {
			return agentWord(a.Agent) == agentWord(value) || agentWord(value) == ownAgent && !library.IsRef(d.ID)
		})
	case query.Project:
		return one(func(value string) bool { return worksIn(a.Cwd, value) })
	case query.After, query.Before, query.On:
		return c.holdsTime(f, d)
	case query.Tool:
		if !f.Not {
			return true // its texts tell
		}
		return one(func(value string) bool {
			for range called(d.Digest, value) {
				return true
			}
			return false
		})
	case query.Is:
		if !f.Not { // of what it is all has to hold; of what it is not, nothing may
			return !one(func(value string) bool { return !c.is(value, d) })
		}
		return one(func(value string) bool { return c.is(value, d) })
	case query.In:
		return one(func(value string) bool {
			return d.Spans.Has(digest.Fate(value)) || d.Apart.Has(digest.Fate(value))
		})
	case query.Model:
		return one(func(value string) bool { return usesModel(d.Digest, value) })
	case query.Named:
		return contains(a.Title, f.Value) || a.Title == "" && contains(a.First, f.Value)
	case query.ID:
		return idBegins(d.ID, f.Value)
	case query.Compactions:
		return !d.unread() && f.Bound(d.Compactions)
	case query.Scope:
	}
	return true
}

// is tells whether a session is what a value of is: says.
func (c *chooser) is(value string, d *digested) bool {
	switch value {
	case "compacted":
		return d.Compactions > 0
	case "archived":
		return d.About.Archived
	case "gone":
		return d.outlived()
	case "foreign":
		return library.IsRef(d.ID)
	case "damaged":
		return d.Damaged > 0 || d.Skip == digest.SkipDamaged || d.Skip == digest.SkipUnreadable
	}
	return c.imported[d.ID]
}

// holdsTime asks on which days something happened, where that is known, and else from when to when.
func (c *chooser) holdsTime(f query.Filter, d *digested) bool {
	days := daysIn(d.Digest)
	if f.Name != query.On || len(days) == 0 || d.Last.IsZero() { // then its day is that on which it began, whenever all was said
		began := d.About.Created
		if began.IsZero() { // nobody knows, which is not to say that it was always there
			began = d.Updated
		}
		return f.Holds(began, d.Updated, c.now)
	}
	span := f.Span(c.now)
	from, to := span.From.Format(time.DateOnly), span.Until.Add(-1).Format(time.DateOnly)
	return slices.ContainsFunc(days, func(day digest.Day) bool { return from <= day.Day && day.Day <= to })
}

// isTime tells of a filter that names a time.
func isTime(f query.Filter) bool {
	return f.Name == query.After || f.Name == query.Before || f.Name == query.On
}

func (c *chooser) aboutTimes() bool { return slices.ContainsFunc(c.filters, isTime) }

// keepsTime tells whether a text is looked at, by when it was written; one of which nobody knows that is as good as its session.
func (c *chooser) keepsTime(id string, at time.Time) bool {
	d, ok := c.all[id]
	return ok && !slices.ContainsFunc(c.filters, func(f query.Filter) bool {
		if !isTime(f) {
			return false
		}
		if at.IsZero() {
			return c.holdsTime(f, &d) == f.Not
		}
		return f.Holds(at, at, c.now) == f.Not
	})
}

// keepsFate tells whether a text is looked at, by what became of it.
func (c *chooser) keepsFate(id string, line, part int) bool {
	fate := string(c.fate(id, line, part))
	if fate == "" {
		return false
	}
	if asked, ok := c.alternatives(query.In); ok && !slices.Contains(asked, fate) {
		return false
	}
	return !slices.ContainsFunc(c.filters, func(f query.Filter) bool {
		return f.Name == query.In && f.Not && slices.Contains(f.Values(), fate)
	})
}

// fates are what became of the lines of a session, and of the parts of lines that fare otherwise.
type fates struct{ lines, parts digest.Runs }

// fate is what became of a text of a session; none if nobody knows. It may be asked from several goroutines.
func (c *chooser) fate(id string, line, part int) digest.Fate {
	known, ok := c.runs.Load(id)
	if !ok {
		f := fates{}
		if d, there := c.all[id]; there {
			f = fates{d.Spans.Runs(), d.Apart.Runs()}
		}
		known = f
		c.runs.Store(id, f)
	}
	f := known.(fates) //nolint:forcetypeassert,errcheck // nothing else is put there
	if part > 0 {
		return f.parts.Of(part - 1)
	}
	return f.lines.Of(line)
}
