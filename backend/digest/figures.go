package digest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// figures are what is counted of a log.
type figures struct {
	opts     Options
	messages int
	prompts  int
	model    string
	own      sums
	copies   sums
	ledger   []Compaction
	// each are the copies, one by one, and said names the records that are none. last is the name of the last of both.
	each []Copy
	said Names
	last Said
	// day is the last that a record named: one without a time is of the same.
	day string
}

func newFigures(opts Options) *figures {
	if opts.Location == nil {
		opts.Location = time.UTC
	}
	f := &figures{opts: opts, own: sums{at: map[[2]string]int{}}, copies: sums{at: map[[2]string]int{}}}
	if day := f.dayOf(opts.About.Created); day != "" {
		f.day = day
	} else {
		f.day = f.dayOf(opts.About.Updated)
	}
	return f
}

func (f *figures) dayOf(at time.Time) string {
	if at.IsZero() || at.Year() < 1970 || at.Year() > 9999 {
		return ""
	}
	return at.In(f.opts.Location).Format(time.DateOnly)
}

// Zone is a name of a time zone that is the same where its days are: how far it is from UTC in two seasons.
func Zone(l *time.Location) string {
	if l == nil {
		l = time.UTC
	}
	_, winter := time.Date(2026, 1, 1, 0, 0, 0, 0, l).Zone()
	_, summer := time.Date(2026, 7, 1, 0, 0, 0, 0, l).Zone()
	return fmt.Sprintf("%d,%d", winter/60, summer/60)
}

// sums are the figures by day and model.
type sums struct {
	days []Day
	at   map[[2]string]int
}

// name names a record, and begins to count it for itself if it was copied.
func (f *figures) name(rec *record.Record, copied bool) {
	f.last = saidAfter(f.last, rec, f.opts.Anew)
	if copied {
		f.each = append(f.each, Copy{Said: f.last})
	} else {
		f.said = f.said.with(f.last)
	}
}

// rows are where a record counts: in what is counted here, or in what was copied, and there also for itself.
func (f *figures) rows(copied bool) []*Day {
	if !copied {
		return []*Day{f.row(&f.own)}
	}
	one := &f.each[len(f.each)-1].Day
	one.Day, one.Model = f.day, f.model
	return []*Day{f.row(&f.copies), one}
}

// row is that of the day and of the model that answered last.
func (f *figures) row(s *sums) *Day {
	key := [2]string{f.day, f.model}
	i, ok := s.at[key]
	if !ok {
		i = len(s.days)
		s.at[key] = i
		s.days = append(s.days, Day{Day: f.day, Model: f.model})
	}
	return &s.days[i]
}

// count takes the record of a line, and of which tool it is a result. What was copied from another session is counted there.
func (f *figures) count(rec *record.Record, line int, tool string, copied bool) {
	if day := f.dayOf(rec.Time); day != "" {
		f.day = day
	}
	copied = copied || rec.Seq <= f.opts.CopiedTo || !rec.Time.IsZero() && rec.Time.Before(f.opts.CopiedBefore)
	switch {
	case rec.Message != nil:
		f.name(rec, copied)
		f.message(rec.Message, tool, copied)
	case rec.Compaction != nil:
		f.name(rec, copied)
		f.compaction(rec, line, copied)
	case rec.Model != nil:
		f.use(rec.Model.Model)
	}
}

// copiedIn tells that another session counts a record: in a log of ours one that says where it comes from, else one that says so.
func (f *figures) copiedIn(rec *record.Record) bool {
	if !strings.Contains(rec.JSON, `"origin"`) {
		return false
	}
	origin := gjson.Get(rec.JSON, "origin")
	return f.opts.Own && origin.Get("agent").Exists() || origin.Get("copied").Bool()
}

// use notes the model that answers from here on.
func (f *figures) use(model string) {
	if model != "" {
		f.model = model
	}
}

func (f *figures) message(m *record.Message, tool string, copied bool) {
	f.messages++
	if m.Role == record.RoleUser {
		f.prompts++
	}
	if m.Role == record.RoleAssistant {
		f.use(m.Model)
	}
	for _, sum := range f.rows(copied) {
		sum.message(m, tool)
	}
}

func (d *Day) message(m *record.Message, tool string) {
	d.called(m, tool)
	d.Messages++
	if m.Role == record.RoleUser {
		d.Prompts++
	}
	switch {
	case m.Role != record.RoleAssistant:
	case m.Usage != nil:
		d.used(m.Usage)
	case m.Model != "" && len(m.Content) > 0:
		d.Untold++
	}
}

// called counts calls, and results that failed.
func (d *Day) called(m *record.Message, tool string) {
	if m.Role == record.RoleToolResult && m.IsError && tool != "" {
		d.tool(tool, Tool{Errors: 1})
	}
	for _, b := range m.Content {
		if b.Kind == record.BlockToolCall && m.Role == record.RoleAssistant {
			d.tool(b.Name, Tool{Calls: 1})
		}
	}
}

func (d *Day) tool(name string, t Tool) {
	if d.Tools == nil {
		d.Tools = map[string]Tool{}
	}
	d.Tools[name] = Tool{d.Tools[name].Calls + t.Calls, d.Tools[name].Errors + t.Errors}
}

func (f *figures) compaction(rec *record.Record, line int, copied bool) {
	c := rec.Compaction
	entry := Compaction{Seq: rec.Seq, Line: line, Trigger: c.Trigger, Model: c.Model, After: c.TokensAfter}
	if !rec.Time.IsZero() {
		at := rec.Time.UTC()
		entry.Time = &at
	}
	if c.TokensBefore > 0 {
		entry.Before = &c.TokensBefore
	}
	if entry.Model == "" && c.ActiveModel != nil {
		entry.Model = c.ActiveModel.Model
	}
	if entry.Model == "" {
		entry.Model = f.model
	}
	if c.Counts() {
		f.ledger = append(f.ledger, entry)
	}
	for _, sum := range f.rows(copied) {
		if c.Counts() {
			sum.Compactions++
		}
		if c.Usage != nil {
			sum.used(c.Usage)
		}
	}
}

// used adds what an answer or a summary took.
func (s *Sum) used(u *record.Usage) {
	if s.Usage == nil {
		s.Usage = &Usage{Untold: record.AllTokens}
	}
	s.Usage.Untold &= u.Untold
	s.Usage.Input, s.Usage.Output = plus(s.Usage.Input, u.Input), plus(s.Usage.Output, u.Output)
	s.Usage.CacheRead, s.Usage.CacheWrite = plus(s.Usage.CacheRead, u.CacheRead), plus(s.Usage.CacheWrite, u.CacheWrite)
	s.Answers++
	s.UntoldKinds.Count(u.Untold)
	if u.Cost == nil {
		return
	}
	s.Priced++
	cost := *u.Cost
	if s.Cost != nil {
		cost += *s.Cost
	}
	if !math.IsInf(cost, 0) {
		s.Cost = &cost
	}
}

// plus adds tokens, whatever somebody else has written there.
func plus(sum int64, n int) int64 { return min(sum+max(int64(n), 0), record.MaxSeq) }

// into adds the figures to a digest that has those of what stands before, or none.
func (f *figures) into(d *Digest) {
	d.Messages += f.messages
	d.Prompts += f.prompts
	if f.model != "" {
		d.Model = f.model
	}
	if d.Model == "" {
		d.Model = d.About.Model
	}
	d.Days = mergeDays(append(slices.Clone(d.Days), f.own.days...))
	d.Inherited = mergeDays(append(slices.Clone(d.Inherited), f.copies.days...))
	d.Said = append(slices.Clone(d.Said), f.said...)
	d.Copies = append(slices.Clone(d.Copies), f.each...)
	beforeAnswers(d.Copies)
	d.Ledger = append(d.Ledger, f.ledger...)
	d.Compactions = len(d.Ledger)
}

// beforeAnswers gives what came before the first answer to its model.
func beforeAnswers(copies []Copy) {
	answered := slices.IndexFunc(copies, func(c Copy) bool { return c.Model != "" })
	for i := range max(answered, 0) {
		copies[i].Model = copies[answered].Model
	}
}

// mergeDays adds up what is of one day and model, oldest first; what came before the first answer goes to its model.
func mergeDays(days []Day) []Day {
	first := ""
	for _, day := range days {
		if day.Model != "" {
			first = day.Model
			break
		}
	}
	var out []Day
	at := map[[2]string]int{}
	for _, day := range days {
		if day.Model == "" {
			day.Model = first
		}
		key := [2]string{day.Day, day.Model}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, Day{Day: day.Day, Model: day.Model})
		}
		out[i].Add(&day.Sum)
		for name, tool := range day.Tools {
			out[i].tool(name, tool)
		}
	}
	slices.SortFunc(out, func(a, b Day) int {
		if c := strings.Compare(a.Day, b.Day); c != 0 {
			return c
		}
		return strings.Compare(a.Model, b.Model)
	})
	return out
}

// Add adds another sum. What neither tells stays unknown.
func (s *Sum) Add(t *Sum) {
	s.Messages += t.Messages
	s.Prompts += t.Prompts
	s.Compactions += t.Compactions
	s.Answers += t.Answers
	s.Priced += t.Priced
	s.Untold += t.Untold
	s.UntoldKinds.Add(&t.UntoldKinds)
	if t.Usage != nil {
		sum := *t.Usage
		if u := s.Usage; u != nil {
			sum = Usage{sum.Input + u.Input, sum.Output + u.Output, sum.CacheRead + u.CacheRead, sum.CacheWrite + u.CacheWrite, sum.Untold & u.Untold}
		}
		s.Usage = &sum
	}
	if t.Cost != nil {
		sum := *t.Cost
		if s.Cost != nil {
			sum += *s.Cost
		}
		s.Cost = &sum
	}
}
