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
	// chosen are the sessions that are looked at, decided of all at once when one is asked for; folders are those that a filter was asked about.
	chosen  map[string]bool
	once    sync.Once
	folders map[[2]string]bool
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

// keeps tells whether a session is looked at. It may be asked from several goroutines.
func (c *chooser) keeps(id string) bool {
	if len(c.filters) == 0 {
		_, there := c.all[id]
		return there
	}
	c.once.Do(func() {
		c.chosen, c.folders = map[string]bool{}, map[[2]string]bool{}
		for id, d := range c.all {
			if c.chooses(&d) {
				c.chosen[id] = true
			}
		}
	})
	return c.chosen[id]
}

func (c *chooser) chooses(d *digested) bool {
	met, asked := map[query.Name]bool{}, map[query.Name]bool{}
	for _, f := range c.filters {
		holds := c.holds(f, d)
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
	if asked, ok := c.alternatives(query.In); ok && !slices.Contains(asked, fate) { // which nothing is that nobody knows, and no name
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
