package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Total is what some sessions took. What none of them tells is nil, never 0.
type Total struct {
	Sessions    int      `json:"sessions"`
	Messages    int      `json:"messages"`
	Prompts     int      `json:"prompts"`
	Input       *int64   `json:"input"`
	Output      *int64   `json:"output"`
	CacheRead   *int64   `json:"cacheRead"`
	CacheWrite  *int64   `json:"cacheWrite"`
	Cost        *float64 `json:"cost"`
	Compactions int      `json:"compactions"`

	counted map[string]bool
}

type (
	// DayTotal is that of a day.
	DayTotal struct {
		Day string `json:"day"`
		Total
	}
	// AgentTotal is that of an agent. Days are left out where they were not asked for.
	AgentTotal struct {
		Agent string `json:"agent"`
		Total
		Days []DayTotal `json:"days,omitempty"`
	}
	// ProjectTotal is that of a folder.
	ProjectTotal struct {
		Project string `json:"project"`
		Total
	}
	// ModelTotal is that of a model.
	ModelTotal struct {
		Model string `json:"model"`
		Total
	}
	// ToolTotal is how often a tool was called, and how often that failed.
	ToolTotal struct {
		Tool   string `json:"tool"`
		Calls  int    `json:"calls"`
		Errors int    `json:"errors"`
	}
)

// Coverage says of how many sessions something is told.
type Coverage struct {
	Sessions int `json:"sessions"`
	Indexed  int `json:"indexed"`
}

// Unknown counts sessions that don't tell what they used, and those that don't tell what all of it cost.
type Unknown struct {
	Usage int `json:"usage"`
	Cost  int `json:"cost"`
}

// Statistics are what sessions took, together and by day, agent, project, model and tool.
type Statistics struct {
	From     *string        `json:"from"`
	To       *string        `json:"to"`
	Totals   Total          `json:"totals"`
	Days     []DayTotal     `json:"days"`
	Agents   []AgentTotal   `json:"agents"`
	Projects []ProjectTotal `json:"projects"`
	Models   []ModelTotal   `json:"models"`
	Tools    []ToolTotal    `json:"tools"`
	Unknown  Unknown        `json:"unknown"`
	Coverage Coverage       `json:"coverage"`
}

// StatisticsOptions keep the sessions of one agent or project, and what happened from a day to a day, both included; empty for all.
// AgentDays asks for the days of each agent, too.
type StatisticsOptions struct {
	Agent, Project, From, To string
	AgentDays                bool
}

func (o *StatisticsOptions) check() error {
	for _, day := range []string{o.From, o.To} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return fmt.Errorf("%w: %q is not a day such as 2026-11-01", session.ErrInput, day)
		}
	}
	if o.From != "" && o.To != "" && o.To < o.From {
		return fmt.Errorf("%w: %s comes before %s", session.ErrInput, o.To, o.From)
	}
	return nil
}

func (o *StatisticsOptions) within(day string) bool {
	return (o.From == "" || day != "" && day >= o.From) && (o.To == "" || day != "" && day <= o.To)
}

// Statistics adds up what the index knows.
func (b *Backend) Statistics(ctx context.Context, opts StatisticsOptions) (Statistics, error) {
	if err := opts.check(); err != nil {
		return Statistics{}, err
	}
	all, coverage, err := b.covered(ctx)
	if err != nil {
		return Statistics{}, err
	}
	t := newTally(opts)
	heirs := heirsOf(all)
	for _, id := range slices.Sorted(maps.Keys(all)) { // sums of costs are the same each time
		if d := all[id]; (opts.Agent == "" || d.About.Agent == opts.Agent) && inProject(d.About.Cwd, opts.Project) {
			t.take(id, d.Digest, heirs[id])
		}
	}
	out := t.statistics()
	out.From, out.To, out.Coverage = known(opts.From), known(opts.To), coverage
	return out, nil
}

// covered are the digests, and of how many of all sessions they are.
func (b *Backend) covered(ctx context.Context) (map[string]digested, Coverage, error) {
	b.startIndexing()
	all, err := again(ctx, b, func() (map[string]digested, error) { return b.digests(ctx) })
	if errors.Is(err, errIndexOff) {
		return nil, Coverage{}, nil
	}
	if err != nil {
		return nil, Coverage{}, err
	}
	state := b.indexing.scanner.State()
	if len(all) == 0 || state.Sessions == 0 && !state.Scanning || state.Elsewhere {
		if state.Sessions, _, err = b.waiting(ctx); err != nil {
			return nil, Coverage{}, err
		}
	}
	out := Coverage{Sessions: state.Sessions}
	for _, d := range all {
		if d.Skip == "" {
			out.Indexed++
		}
		if d.Gone {
			out.Sessions++
		}
	}
	out.Sessions = max(out.Sessions, len(all))
	return all, out, nil
}

// inProject tells whether a session worked in a folder, named by its path or by one of the names in it.
func inProject(cwd, project string) bool {
	if project == "" {
		return true
	}
	slashed := strings.ToLower(strings.ReplaceAll(cwd, `\`, "/"))
	wanted := strings.TrimSuffix(strings.ToLower(strings.ReplaceAll(project, `\`, "/")), "/")
	if strings.Contains(wanted, "/") {
		return slashed == wanted || strings.HasPrefix(slashed, wanted+"/")
	}
	return slices.Contains(strings.Split(slashed, "/"), wanted)
}

// tally adds up.
type tally struct {
	opts                           StatisticsOptions
	totals                         Total
	days, agents, projects, models map[string]*Total
	agentDays                      map[string]map[string]*Total // by agent and day
	tools                          map[string]ToolTotal
	unknown                        Unknown
}

func newTally(opts StatisticsOptions) *tally {
	return &tally{
		opts: opts, days: map[string]*Total{}, agents: map[string]*Total{}, projects: map[string]*Total{}, models: map[string]*Total{},
		agentDays: map[string]map[string]*Total{}, tools: map[string]ToolTotal{},
	}
}

func of(totals map[string]*Total, key string) *Total {
	if totals[key] == nil {
		totals[key] = &Total{}
	}
	return totals[key]
}

// take adds a session, with what it inherited if no other counts that. One that had nothing in the range counts only if there is none,
// and one that only repeats another never does.
func (t *tally) take(id string, d *digest.Digest, heir bool) {
	into := []*Total{&t.totals, of(t.agents, d.About.Agent), of(t.projects, filepath.Clean(d.About.Cwd))}
	ofAgent := t.agentDays[d.About.Agent]
	if ofAgent == nil {
		ofAgent = map[string]*Total{}
		t.agentDays[d.About.Agent] = ofAgent
	}
	whole := t.opts.From == "" && t.opts.To == ""
	answers, priced, seen := 0, 0, false
	days := d.Days
	if heir {
		days = slices.Concat(days, d.Inherited)
	}
	for i := range days {
		day := &days[i]
		if !t.opts.within(day.Day) {
			continue
		}
		seen = true
		answers, priced = answers+day.Answers, priced+day.Priced
		rows := into
		if day.Day != "" {
			rows = append(slices.Clip(rows), of(t.days, day.Day))
			if t.opts.AgentDays {
				rows = append(rows, of(ofAgent, day.Day))
			}
		}
		if day.Model != "" {
			rows = append(slices.Clip(rows), of(t.models, day.Model))
		}
		for _, row := range rows {
			row.add(id, &day.Sum)
		}
		for name, tool := range day.Tools {
			sum := t.tools[name]
			t.tools[name] = ToolTotal{name, sum.Calls + tool.Calls, sum.Errors + tool.Errors}
		}
	}
	if repeats := len(d.Inherited) > 0; !seen && (!whole || repeats) {
		return
	}
	for _, row := range into {
		row.add(id, &digest.Sum{})
	}
	if answers == 0 {
		t.unknown.Usage++
	}
	if answers == 0 || priced < answers {
		t.unknown.Cost++
	}
}

// add adds what happened in a session; what it does not tell is left as it is.
func (t *Total) add(id string, s *digest.Sum) {
	if t.counted == nil {
		t.counted = map[string]bool{}
	}
	if !t.counted[id] {
		t.counted[id] = true
		t.Sessions++
	}
	t.Messages += s.Messages
	t.Prompts += s.Prompts
	t.Compactions += s.Compactions
	if u := s.Usage; u != nil {
		for _, pair := range []struct {
			kind record.Kinds
			to   **int64
			from int64
		}{
			{record.InputTokens, &t.Input, u.Input},
			{record.OutputTokens, &t.Output, u.Output},
			{record.CacheReadTokens, &t.CacheRead, u.CacheRead},
			{record.CacheWriteTokens, &t.CacheWrite, u.CacheWrite},
		} {
			if u.Untold&pair.kind != 0 {
				continue
			}
			sum := pair.from
			if *pair.to != nil {
				sum += **pair.to
			}
			*pair.to = &sum
		}
	}
	if s.Cost != nil && s.Priced == s.Answers {
		sum := *s.Cost
		if t.Cost != nil {
			sum += *t.Cost
		}
		t.Cost = &sum
	}
}

// statistics puts the sums in order: days as they came, the others by tokens and messages, the most first.
func (t *tally) statistics() Statistics {
	out := Statistics{
		Totals: t.totals, Unknown: t.unknown, Days: []DayTotal{}, Agents: []AgentTotal{}, Projects: []ProjectTotal{}, Models: []ModelTotal{},
		Tools: []ToolTotal{},
	}
	out.Days = append(out.Days, inOrder(t.days)...)
	for _, key := range most(t.agents) {
		out.Agents = append(out.Agents, AgentTotal{key, *t.agents[key], inOrder(t.agentDays[key])})
	}
	for _, key := range most(t.projects) {
		project := key
		if project == "." {
			project = ""
		}
		out.Projects = append(out.Projects, ProjectTotal{project, *t.projects[key]})
	}
	for _, key := range most(t.models) {
		out.Models = append(out.Models, ModelTotal{key, *t.models[key]})
	}
	for _, name := range slices.Sorted(maps.Keys(t.tools)) {
		out.Tools = append(out.Tools, t.tools[name])
	}
	slices.SortStableFunc(out.Tools, func(a, b ToolTotal) int { return cmp.Compare(b.Calls, a.Calls) })
	return out
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
