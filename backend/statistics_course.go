package backend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/session"
)

// Course is how things went over time, in stretches that are neither too many nor too few to be looked at. A session counts once in each
// stretch in which anything happened in it, however many days of that those are.
type Course struct {
	By   string `json:"by"`
	Span string `json:"span"`
	From string `json:"from"`
	To   string `json:"to"`
	// All is everything together, and Series the parts of it: what has the most by itself, and the rest as one without a name.
	All    []Stretch `json:"all"`
	Series []Series  `json:"series"`
	// Outside is what happened before and after, where no bound was asked for; nil if nothing did.
	Outside *Outside `json:"outside"`
}

// Series is the course of one agent, folder, model or tool; Name is nil for all that have none of their own.
type Series struct {
	Name      *string   `json:"name"`
	Stretches []Stretch `json:"stretches"`
}

// Stretch is a day, a week from Monday on, a month or a year, known by its first day. Those in which nothing happened are left out.
type Stretch struct {
	Start string `json:"start"`
	Total
	Calls int `json:"calls"`
}

// courseSeries is how many are told apart: all of them where the rest would be a single one.
const courseSeries = 6

// courseNames are what a session's day counts for, by what a course is told by. Of tools, each has what was called of it.
var courseNames = map[string]func(*digest.Digest, *digest.Day) string{
	"agent":   func(d *digest.Digest, _ *digest.Day) string { return d.About.Agent },
	"project": func(d *digest.Digest, _ *digest.Day) string { return folder(d.About.Cwd) },
	"model":   func(_ *digest.Digest, day *digest.Day) string { return day.Model },
	"tool":    nil,
}

func checkOver(over string) error {
	if _, ok := courseNames[over]; !ok && over != "" {
		return fmt.Errorf("%w: a course is over %s, not over %q", session.ErrInput, strings.Join(slices.Sorted(maps.Keys(courseNames)), ", "), over)
	}
	return nil
}

// stretchFor is how long stretches are, for so many days.
func stretchFor(from, to time.Time) string {
	const quarter, weeks, decade = 92, 366 * 3 / 2, 3660
	switch days := int(to.Sub(from).Hours())/24 + 1; {
	case days <= quarter:
		return "day"
	case days <= weeks:
		return "week"
	case days <= decade:
		return "month"
	}
	return "year"
}

// startOf is the first day of the stretch that a day is in.
func startOf(day time.Time, span string) string {
	switch span {
	case "week":
		day = day.AddDate(0, 0, -(int(day.Weekday())+6)%7) // Monday comes first
	case "month":
		day = time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
	case "year":
		day = time.Date(day.Year(), time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	return day.Format(time.DateOnly)
}

// stretches are those of a series, by their first day.
type stretches map[string]*Stretch

func (s stretches) at(start string) *Stretch {
	if s[start] == nil {
		s[start] = &Stretch{Start: start}
	}
	return s[start]
}

func (s stretches) inOrder() []Stretch {
	out := []Stretch{}
	for _, start := range slices.Sorted(maps.Keys(s)) {
		out = append(out, *s[start])
	}
	return out
}

// courseOf tells the course of what a tally was made of: the names that have the most are known from it.
func (t *tally) courseOf(today string, all map[string]digested, inherited map[string][]digest.Day) *Course {
	days := slices.Sorted(maps.Keys(t.days))
	over := t.opts.Over
	out := &Course{By: over, From: t.opts.From, To: t.opts.To, All: []Stretch{}, Series: []Series{}}
	if out.To == "" {
		out.To = today // what stands in the future is a clock that went wrong
	}
	if out.From == "" {
		out.From = t.begin(days, out.To)
	}
	out.To = max(out.To, out.From)
	out.Outside = t.outside(days, out.From, out.To)
	from, _ := time.Parse(time.DateOnly, out.From)
	to, _ := time.Parse(time.DateOnly, out.To)
	out.Span = stretchFor(from, to)
	c := course{tally: t, Course: out, name: courseNames[over], all: stretches{}, series: map[string]stretches{}, rest: stretches{}}
	names := t.names(over)
	for i, name := range names {
		if i < courseSeries || len(names) == courseSeries+1 {
			c.series[name], c.order = stretches{}, append(c.order, name)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(all)) { // sums of costs are the same each time
		c.take(id, all[id].Digest, inherited[id])
	}
	out.All = c.all.inOrder()
	for _, name := range c.order {
		out.Series = append(out.Series, Series{&name, c.series[name].inOrder()})
	}
	if len(c.rest) > 0 {
		out.Series = append(out.Series, Series{nil, c.rest.inOrder()})
	}
	return out
}

// names are those of agents, folders, models or tools, the most first.
func (t *tally) names(over string) (names []string) {
	switch over {
	case "agent":
		return most(t.agents)
	case "project":
		return most(t.projects)
	case "model":
		return most(t.models)
	}
	for _, tool := range t.toolsInOrder() {
		names = append(names, tool.Tool)
	}
	return names
}

// course adds up what each series has in each stretch.
type course struct {
	*tally
	*Course
	name      func(*digest.Digest, *digest.Day) string
	all, rest stretches
	series    map[string]stretches
	order     []string
}

func (c *course) of(name string) stretches {
	if s := c.series[name]; s != nil {
		return s
	}
	return c.rest
}

func (c *course) take(id string, d *digest.Digest, inherited []digest.Day) {
	told := rows{}
	days := slices.Concat(d.Days, inherited)
	for i := range days {
		day := &days[i]
		at, err := time.Parse(time.DateOnly, day.Day)
		if err != nil || day.Day < c.From || day.Day > c.To {
			continue
		}
		start := startOf(at, c.Span)
		whole := c.all.at(start)
		told.add(&whole.Total, id, &day.Sum)
		var part *Stretch
		if c.name != nil {
			part = c.of(c.name(d, day)).at(start)
			told.add(&part.Total, id, &day.Sum)
		}
		for name, tool := range day.Tools {
			whole.Calls += tool.Calls
			if c.name == nil {
				part = c.of(name).at(start)
				part.add(id, &digest.Sum{})
			}
			part.Calls += tool.Calls
		}
	}
	told.lack(c.tells(d) | toldIn(d))
}
