package digest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
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
	// each are the copies, one by one, the last of which is one, and said names the records that are none. last is the name of the last of both.
	// parts are what is counted here, one by one, where copies may be told by their names.
	each  copier
	parts copier
	one   *Day
	said  many.List[short]
	last  Said
	early *early
	// behind is the name of the last answer, with what was asked since; 0 where there is none that has the same name in all copies.
	behind Said
	// at is when the last one was said, in milliseconds; 0 where that is not known.
	at int64
	// day is the last that a record named: one without a time is of the same.
	day string
	// dated and named are the date that was named last: that of most records is the same.
	dated date
	named string
}

type date struct {
	year, day int
	month     time.Month
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
	at = at.In(f.opts.Location)
	var dated date
	if dated.year, dated.month, dated.day = at.Date(); dated != f.dated {
		f.dated, f.named = dated, at.Format(time.DateOnly)
	}
	return f.named
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

// name names a record, and begins to count it for itself if it was copied or others may have copied it.
func (f *figures) name(rec *record.Record, copied bool) {
	f.last = saidAfter(f.last, rec, f.opts.Anew)
	loose := sameOf(rec) == ""
	for _, name := range append(f.further(rec), f.after(rec)...) {
		f.also(name, copied, false)
	}
	if name := f.follows(rec); name != 0 {
		f.also(name, copied, true)
	}
	f.at = 0
	if !rec.Time.IsZero() {
		f.at = rec.Time.UnixMilli()
	}
	if copied {
		f.one = f.each.add(f.last)
		f.each.loosen(loose)
		return
	}
	f.nameOwn(f.last)
	if f.opts.Same {
		f.one = f.parts.add(0)
		f.parts.loosen(loose)
	}
}

// also notes a further name of the record that is named next.
func (f *figures) also(name Said, copied, behind bool) {
	if copied {
		f.each.also(name, behind)
		return
	}
	f.nameOwn(name)
	f.parts.also(0, behind)
}

// further are other names of a record, by which it is known in copies that don't have the one that it goes by.
func (f *figures) further(rec *record.Record) []Said {
	if !f.opts.Same {
		return nil
	}
	return alsoSaid(rec)
}

// after names what was asked by how long after what stands before it, too: nobody asks the same again in that time. So it is known in a copy
// of which all is later by as much, and a compaction without its summary.
func (f *figures) after(rec *record.Record) []Said {
	if f.behind == 0 || f.at == 0 || rec.Time.IsZero() || !isAsked(rec) {
		return nil
	}
	const bits = 64 - 8*saidBytes
	return []Said{saidAt(uint64(f.behind)<<bits^uint64(rec.Time.UnixMilli()-f.at), unended(rec))} //nolint:gosec // any number does
}

// follows names what was asked by what it says and what stands before it, back to the last answer: some copies have other ids and other times.
func (f *figures) follows(rec *record.Record) Said {
	same, m := sameOf(rec), rec.Message
	if !f.opts.Same || same == "" {
		return 0
	}
	switch {
	case m == nil, m.Role == record.RoleUser:
		if f.behind != 0 {
			f.behind = saidAt(uint64(f.behind), rec)
		}
		return f.behind
	case m.Role == record.RoleAssistant && (m.Usage != nil || m.Took != nil || m.Model != ""):
		f.behind = saidOf(same[strings.LastIndex(same, record.SameAlso)+1:]) // a copy may lack the first row
	}
	return 0
}

// rows are where a record counts: in what is counted here, or in what was copied, and also for itself.
func (f *figures) rows(copied bool) []*Day {
	all := &f.own
	if copied {
		all = &f.copies
	} else if !f.opts.Same {
		return []*Day{f.row(all)}
	}
	f.one.Day, f.one.Model = f.day, f.model
	return []*Day{f.row(all), f.one}
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
	if m.Asked() {
		f.prompts++
	}
	if m.Role == record.RoleAssistant {
		f.use(m.Model)
	}
	for _, sum := range f.rows(copied) {
		sum.message(m, tool)
	}
}

func (f *figures) compaction(rec *record.Record, line int, copied bool) {
	c := rec.Compaction
	entry := Compaction{
		Seq: rec.Seq, Line: line, Trigger: strings.Clone(c.Trigger), Model: strings.Clone(c.Model), After: c.TokensAfter, Said: f.last, Copied: copied,
	}
	if !rec.Time.IsZero() {
		at := rec.Time.UTC()
		entry.Time = &at
	}
	if before := c.TokensBefore; before > 0 { // as all of it a copy, which holds nothing else of the record
		entry.Before = &before
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
	d.Days = MergeDays(append(slices.Clone(d.Days), f.own.days...))
	d.Inherited = MergeDays(append(slices.Clone(d.Inherited), f.copies.days...))
	d.Said = d.Said.with(&f.said)
	d.Copies, d.Parts = f.each.all(), f.parts.all()
	if d.early = f.early; f.early != nil {
		d.Away += f.early.pieces.Len()
	}
	d.Ledger = append(d.Ledger, f.ledger...)
	d.Compactions = len(d.Ledger)
}
