package backend

import (
	"cmp"
	"maps"
	"slices"

	"palimpsest/backend/digest"
	"palimpsest/backend/record"
)

// tally adds up.
type tally struct {
	opts                           StatisticsOptions
	totals                         Total
	days, agents, projects, models map[string]*Total
	agentDays                      map[string]map[string]*Total // by agent and day
	tools                          map[string]ToolTotal
	unknown                        Unknown
	copies                         int
	// tells are the kinds of tokens that a session's agent tells of each answer of which it tells any.
	tells func(*digest.Digest) record.Kinds
}

func newTally(opts StatisticsOptions, tells func(*digest.Digest) record.Kinds) *tally {
	return &tally{
		opts: opts, tells: tells, days: map[string]*Total{}, agents: map[string]*Total{}, projects: map[string]*Total{}, models: map[string]*Total{},
		agentDays: map[string]map[string]*Total{}, tools: map[string]ToolTotal{},
	}
}

func of(totals map[string]*Total, key string) *Total {
	if totals[key] == nil {
		totals[key] = &Total{}
	}
	return totals[key]
}

// take adds a session, with what it counts of what it inherited. One that had nothing in the range counts only if there is none,
// and one that only repeats another never does.
func (t *tally) take(id string, d *digest.Digest, inherited []digest.Day) {
	into := []*Total{&t.totals, of(t.agents, d.About.Agent), of(t.projects, folder(d.About.Cwd))}
	ofAgent := t.agentDays[d.About.Agent]
	if ofAgent == nil {
		ofAgent = map[string]*Total{}
		t.agentDays[d.About.Agent] = ofAgent
	}
	whole := t.opts.From == "" && t.opts.To == ""
	told := rows{}
	answers, priced, seen := 0, 0, false
	days := slices.Concat(d.Days, inherited)
	for i := range days {
		day := &days[i]
		if !t.opts.within(day.Day) {
			continue
		}
		seen = true
		answers, priced = answers+day.Answers, priced+day.Priced
		to := into
		if day.Day != "" {
			to = append(slices.Clip(to), of(t.days, day.Day))
			if t.opts.AgentDays {
				to = append(to, of(ofAgent, day.Day))
			}
		}
		if day.Model != "" {
			to = append(slices.Clip(to), of(t.models, day.Model))
		}
		for _, row := range to {
			told.add(row, id, &day.Sum)
		}
		for name, tool := range day.Tools {
			sum := t.tools[name]
			t.tools[name] = ToolTotal{name, sum.Calls + tool.Calls, sum.Errors + tool.Errors}
		}
	}
	if repeats := len(d.Inherited) > 0; !seen && (!whole || repeats) {
		if whole {
			t.copies++
		}
		return
	}
	for _, row := range into {
		row.add(id, &digest.Sum{})
	}
	told.lack(t.tells(d) | toldIn(d))
	if answers == 0 {
		t.unknown.Usage++
	}
	if answers == 0 || priced < answers {
		t.unknown.Cost++
	}
}

// rows are those that a session counts in, with what it tells in each of what its answers used.
type rows map[*Total]*answered

func (r rows) add(row *Total, id string, s *digest.Sum) {
	row.add(id, s)
	if r[row] == nil {
		r[row] = &answered{}
	}
	r[row].add(s)
}

// lack counts in each what the session does not tell, of the kinds of tokens that are usual in it.
func (r rows) lack(usual record.Kinds) {
	for row, a := range r {
		a.lackedBy(&row.Lacks, usual)
	}
}

// answered is what a session tells of what its answers used.
type answered struct {
	said                    bool
	answers, priced, untold int
	untoldKinds             record.ByKind
}

// toldIn are the kinds of tokens that any answer of a session tells.
func toldIn(d *digest.Digest) (kinds record.Kinds) {
	for _, days := range [][]digest.Day{d.Days, d.Inherited} {
		for i := range days {
			kinds |= days[i].UntoldKinds.Below(days[i].Answers)
		}
	}
	return kinds
}

// add adds what was said; what the user says takes nothing.
func (a *answered) add(s *digest.Sum) {
	a.said = a.said || s.Messages > s.Prompts
	a.answers += s.Answers
	a.priced += s.Priced
	a.untold += s.Untold
	a.untoldKinds.Add(&s.UntoldKinds)
}

// lackedBy counts what the session does not tell, of the kinds of tokens that are usual in it.
func (a *answered) lackedBy(to *Unknown, usual record.Kinds) {
	silent := a.answers == 0 && a.said || a.untold > 0
	lacking := a.untoldKinds.Above(0) & usual
	if silent {
		lacking = record.AllTokens
	}
	to.Kinds.Count(lacking)
	if lacking != 0 {
		to.Usage++
	}
	if silent || a.priced < a.answers {
		to.Cost++
	}
}

// statistics puts the sums in order: days as they came, the others by tokens and messages, the most first.
func (t *tally) statistics() Statistics {
	out := Statistics{
		Totals: t.totals, Unknown: t.unknown, Copies: t.copies, Days: []DayTotal{}, Agents: []AgentTotal{}, Projects: []ProjectTotal{}, Models: []ModelTotal{},
		Tools: []ToolTotal{},
	}
	out.Days = append(out.Days, inOrder(t.days)...)
	for _, key := range most(t.agents) {
		out.Agents = append(out.Agents, AgentTotal{key, *t.agents[key], inOrder(t.agentDays[key])})
	}
	for i, key := range most(t.projects) {
		if t.opts.Projects == 0 || i < t.opts.Projects {
			out.Projects = append(out.Projects, ProjectTotal{key, *t.projects[key]})
			continue
		}
		if out.OtherProjects == nil {
			out.OtherProjects = &OthersTotal{}
		}
		out.OtherProjects.Count++
		out.OtherProjects.join(t.projects[key])
	}
	for _, key := range most(t.models) {
		out.Models = append(out.Models, ModelTotal{key, *t.models[key]})
	}
	out.Tools = append(out.Tools, t.toolsInOrder()...)
	return out
}

// toolsInOrder are all tools, the one that was called most first.
func (t *tally) toolsInOrder() (tools []ToolTotal) {
	for _, name := range slices.Sorted(maps.Keys(t.tools)) {
		tools = append(tools, t.tools[name])
	}
	slices.SortStableFunc(tools, func(a, b ToolTotal) int { return cmp.Compare(b.Calls, a.Calls) })
	return tools
}

func inOrder(days map[string]*Total) (out []DayTotal) {
	for _, day := range slices.Sorted(maps.Keys(days)) {
		out = append(out, DayTotal{day, *days[day]})
	}
	return out
}

func most(totals map[string]*Total) []string {
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(totals)), func(key string) bool { return totals[key].Sessions == 0 })
	slices.SortStableFunc(keys, func(a, b string) int {
		x, y := totals[a], totals[b]
		return cmp.Or(cmp.Compare(y.Sessions, x.Sessions), cmp.Compare(y.Messages, x.Messages))
	})
	return keys
}
