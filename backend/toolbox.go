package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"palimpsest/backend/agent"
	"palimpsest/backend/agent/permission"
	"palimpsest/backend/agent/tools"
	"palimpsest/backend/llm"
)

// toolbox has the tools of every session. What a session's tools have seen is remembered as long as the program runs.
type toolbox struct {
	b    *Backend
	mu   sync.Mutex
	sets map[string]*workbench // belongs to mu
}

// workbench are the tools of one session, and what they were made with.
type workbench struct {
	set  *tools.Set
	with benchOptions
}

type benchOptions struct {
	dir     string
	budget  int
	timeout int64
}

// Why a session has no tools.
var (
	errToolsOff = errors.New("tools are switched off, by tools.enabled in config.yaml")
	errNoFolder = errors.New("the session has no folder to work in")
)

// folder is where the tools of a session work; the error says why there are none.
func (b *Backend) folder(id string) (string, error) {
	settings, _ := b.Settings()
	if !settings.Tools.Enabled {
		return "", errToolsOff
	}
	return b.ownFolder(id)
}

// ownFolder is a session's folder, whether tools work there or not.
func (b *Backend) ownFolder(id string) (string, error) {
	meta, err := b.store.Metadata(id)
	if err != nil {
		return "", err
	}
	if meta.Cwd == "" {
		return "", errNoFolder
	}
	if info, err := os.Stat(meta.Cwd); err != nil || !info.IsDir() || !filepath.IsAbs(meta.Cwd) {
		return "", fmt.Errorf("the session's folder %s is not there", meta.Cwd)
	}
	return meta.Cwd, nil
}

// workspace is with what the tools of a session work in its folder.
func (b *Backend) workspace(id, dir string) tools.Workspace {
	settings, _ := b.Settings()
	return tools.Workspace{
		Dir: dir, Budget: settings.Tools.OutputBudget, Timeout: settings.Tools.Timeout, Secrets: keyVariables(), Keys: b.ownKeys,
		Keep: func(data []byte) (string, error) { return b.store.Keep(id, data) },
	}
}

func (x *toolbox) of(id string) (*tools.Set, error) {
	dir, err := x.b.folder(id)
	if err != nil {
		return nil, err
	}
	w := x.b.workspace(id, dir)
	with := benchOptions{w.Dir, w.Budget, int64(w.Timeout)}
	x.mu.Lock()
	defer x.mu.Unlock()
	bench := x.sets[id]
	if bench == nil || bench.with != with {
		bench = &workbench{tools.New(w), with}
		if x.sets == nil {
			x.sets = map[string]*workbench{}
		}
		x.sets[id] = bench
	}
	return bench.set, nil
}

// List is what the model is offered.
func (x *toolbox) List(id string) []llm.Tool {
	set, err := x.of(id)
	if err != nil {
		return nil
	}
	return set.List()
}

// ReadOnly tells whether a tool changes nothing.
func (*toolbox) ReadOnly(name string) bool { return (*tools.Set)(nil).ReadOnly(name) }

// Run judges a call, asks the user if need be, and runs it.
func (x *toolbox) Run(ctx context.Context, call llm.Call, from agent.Caller) agent.Result {
	set, err := x.of(from.SessionID)
	if err != nil {
		return refused(fmt.Sprintf("there is no tool %q: %v", call.Name, err))
	}
	facts, err := set.Facts(call)
	if err != nil {
		return refused(err.Error())
	}
	j, err := x.b.judge(from, facts)
	if err != nil {
		return refused(err.Error())
	}
	if j.Effect == permission.Ask {
		reply, err := from.Ask(func() *agent.Question {
			// While it waited for its turn to ask, another answer may have allowed it.
			if now, err := x.b.judge(from, facts); err == nil {
				j = now
			}
			if j.Effect != permission.Ask {
				return nil
			}
			return questionOf(ctx, set, call, facts, j)
		})
		switch {
		case err != nil:
			return refused(notRun)
		case j.Effect == permission.Ask && !reply.Allow:
			return refused(denied(reply.Reason))
		}
		// While the user thought, a rule may have come that denies it.
		if j, err = x.b.judge(from, facts); err != nil {
			return refused(err.Error())
		}
	}
	if j.Effect == permission.Deny {
		return refused(notAllowed + " " + j.Why)
	}
	with := optionsOf(facts, j.rules)
	with.Stream = from.Stream
	from.Started()
	return x.b.resultOf(from.SessionID, set.Run(ctx, call, with))
}

// How the results of calls begin that were not run.
const (
	notRun     = "not run: the turn was stopped"
	notAllowed = "Not allowed."
	notByUser  = "The user did not allow this call. It was not run."
)

func refused(why string) agent.Result { return agent.Result{Text: why, IsError: true} }

// denied is what the model is told of a call that the user did not allow.
func denied(reason string) string {
	if reason == "" {
		return notByUser
	}
	return notByUser + " The user says: " + reason
}

// optionsOf is what an allowed call may touch: what was judged, and of what it walks through, nothing that a rule denies.
func optionsOf(facts permission.Call, rules []permission.Rule) tools.Options {
	with := tools.Options{Judged: facts.Paths, Skip: func(path string) bool {
		return permission.Hidden(rules, facts, permission.Path{Real: path, Given: path})
	}}
	for _, p := range facts.Paths {
		with.Outside = append(with.Outside, p.Real)
	}
	return with
}

// questionOf shows the user what a call would do.
func questionOf(ctx context.Context, set *tools.Set, call llm.Call, facts permission.Call, j judgement) *agent.Question {
	q := &agent.Question{
		CallID: call.ID, Tool: facts.Tool, Arguments: argumentsOf(call), Command: facts.Command, Paths: []string{}, Rules: []string{},
		Why: j.Why, Diff: set.Preview(ctx, call, optionsOf(facts, nil)),
	}
	for _, p := range facts.Paths {
		q.Paths = append(q.Paths, filepath.FromSlash(p.Real))
	}
	for _, rule := range permission.Suggest(facts) {
		q.Rules = append(q.Rules, rule.String())
	}
	return q
}

// resultOf keeps the whole of a long text beside the log.
func (b *Backend) resultOf(id string, r tools.Result) agent.Result {
	out := agent.Result{Text: r.Text, IsError: r.IsError, Images: r.Images, Diff: r.Diff, Changes: r.Changes}
	if r.Whole == "" {
		return out
	}
	sha, err := b.store.Keep(id, []byte(r.Whole))
	if err != nil {
		out.Text += fmt.Sprintf("\n[the whole output could not be kept: %v]", err)
		return out
	}
	out.Blob, out.Bytes = sha, len(r.Whole)
	return out
}
