package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
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
	// Lacks counts those of the sessions that don't tell all of it: without what they used, a sum is only a part.
	Lacks Unknown `json:"lacks"`

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
	// OthersTotal is that of so many folders that are not told by themselves.
	OthersTotal struct {
		Count int `json:"count"`
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
	// Kinds are those that don't tell all of a kind of tokens, in what a sum lacks. A kind that an agent never tells is none that it lacks.
	Kinds record.ByKind `json:"kinds,omitzero"`
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
	// Copies are sessions that only repeat what others hold, and so count in those alone. Of a range of days nobody can say that.
	Copies   int      `json:"copies"`
	Coverage Coverage `json:"coverage"`
	Course   *Course  `json:"course,omitempty"`
	// OtherProjects are those behind the first, nil if all are told.
	OtherProjects *OthersTotal `json:"otherProjects,omitempty"`
}

// StatisticsOptions keep the sessions of one agent or project, and what happened from a day to a day, both included; empty for all.
// AgentDays asks for the days of each agent, too. Over asks for the course by agent, project, model or tool; the days are those of the last
// year then: of many years they would be a lot, and nobody looks at so many at once. Today is where a course ends; the program's if empty.
// Projects is how many folders are told by themselves, those that have the most; 0 for all.
type StatisticsOptions struct {
	Agent, Project, From, To, Over, Today string
	AgentDays                             bool
	Projects                              int
}

func (o *StatisticsOptions) check() error {
	for _, day := range []string{o.From, o.To, o.Today} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return fmt.Errorf("%w: %q is not a day such as 2026-11-01", session.ErrInput, day)
		}
	}
	if o.From != "" && o.To != "" && o.To < o.From {
		return fmt.Errorf("%w: %s comes before %s", session.ErrInput, o.To, o.From)
	}
	return checkOver(o.Over)
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
	t := newTally(opts, b.kindsTold())
	maps.DeleteFunc(all, func(_ string, d digested) bool {
		return d.unread() || opts.Agent != "" && d.About.Agent != opts.Agent || !inProject(d.About.Cwd, opts.Project)
	})
	all = once(all)
	inherited, _ := heirsOf(all)
	for _, id := range slices.Sorted(maps.Keys(all)) { // sums of costs are the same each time
		t.take(id, all[id].Digest, inherited[id])
	}
	out := t.statistics()
	if opts.Over != "" {
		out.Course = t.courseOf(cmp.Or(opts.Today, b.now().Format(time.DateOnly)), all, inherited)
		out.Days = lastYear(out.Days, out.Course.To)
	}
	out.From, out.To, out.Coverage = known(opts.From), known(opts.To), coverage
	return out, nil
}

// lastYear are the days of 53 weeks up to one.
func lastYear(days []DayTotal, last string) []DayTotal {
	const year = 53 * 7
	end, _ := time.Parse(time.DateOnly, last)
	first := end.AddDate(0, 0, -year).Format(time.DateOnly)
	return slices.DeleteFunc(days, func(d DayTotal) bool { return d.Day <= first || d.Day > last })
}

// kindsTold returns what tells the kinds of tokens that a session's agent, or that which it was imported from, tells of each answer of
// which it tells any. Anybody may write a log of ours, and leave those of a cache out.
func (b *Backend) kindsTold() func(*digest.Digest) record.Kinds {
	told := map[string]record.Kinds{}
	return func(d *digest.Digest) record.Kinds {
		agent := d.About.Agent
		if from, _, imported := strings.Cut(d.About.Imported, ":"); imported {
			agent = from
		}
		kinds, known := told[agent]
		if !known && b.library != nil {
			kinds = b.library.Capability(agent, "usage").Tokens
		}
		if kinds == 0 {
			kinds = record.InputTokens | record.OutputTokens
		}
		told[agent] = kinds
		return kinds
	}
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
	if len(all) == 0 || state.Sessions == 0 || state.Elsewhere {
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

// folder is a path without what makes no difference, in the manner of the system that it is of, which may be another than this one.
func folder(cwd string) string {
	if cwd == "" {
		return ""
	}
	if strings.HasPrefix(cwd, "/") {
		return path.Clean(cwd)
	}
	if trimmed := strings.TrimRight(cwd, `\/`); trimmed != "" && !strings.HasSuffix(trimmed, ":") {
		return trimmed
	}
	return cwd
}

// inProject tells whether a session worked in a folder, named by its path or by one of the names in it.
func inProject(cwd, project string) bool {
	if project == "" {
		return true
	}
	slashed := index.Folded(strings.ReplaceAll(cwd, `\`, "/"))
	wanted := strings.TrimSuffix(index.Folded(strings.ReplaceAll(project, `\`, "/")), "/")
	if strings.Contains(wanted, "/") {
		return slashed == wanted || strings.HasPrefix(slashed, wanted+"/")
	}
	return slices.Contains(strings.Split(slashed, "/"), wanted)
}
