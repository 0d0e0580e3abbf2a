package digest

import (
	"math"
	"slices"
	"strings"

	"palimpsest/backend/record"
)

func (d *Day) message(m *record.Message, tool string) {
	d.called(m, tool)
	d.Messages++
	if m.Asked() {
		d.Prompts++
	}
	switch {
	case m.Role != record.RoleAssistant:
	case m.Usage != nil:
		d.used(m.Usage)
	case m.Took != nil:
		d.used(m.Took)
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

// MergeDays adds up what is of one day and model, oldest first; what came before the first answer goes to its model.
func MergeDays(days []Day) []Day {
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
