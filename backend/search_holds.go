package backend

import (
	"slices"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/library"
	"palimpsest/backend/query"
)

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
		return one(func(value string) bool { return c.worksIn(a.Cwd, value) })
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

// worksIn is [worksIn], of which thousands of sessions in a folder ask once.
func (c *chooser) worksIn(cwd, value string) bool {
	key := [2]string{cwd, value}
	works, known := c.folders[key]
	if !known {
		works = worksIn(cwd, value)
		c.folders[key] = works
	}
	return works
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
