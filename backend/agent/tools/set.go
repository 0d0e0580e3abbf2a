package tools

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"palimpsest/backend/agent/permission"
	"palimpsest/backend/config"
	"palimpsest/backend/llm"
)

// Workspace is where the tools of one session work.
type Workspace struct {
	// Dir is the session's folder, absolute.
	Dir string
	// Keep puts bytes into the session's blobs and returns their SHA-256 in hex. Without it nothing is changed and no image
	// read. It may be called from several goroutines.
	Keep func([]byte) (sha string, err error)
	// Budget is how many bytes of one result the model is shown; 0 is [DefaultBudget].
	Budget int
	// Secrets are names of environment variables that commands don't get, besides PALIMPSEST_*.
	Secrets []string
	// Keys are the program's own, which nothing that a call gives back shows; nil is none.
	Keys func() []string
	// Timeout ends commands that name none; 0 is two minutes.
	Timeout time.Duration
	// Grace is how long a command that is ended has to end itself; 0 is two seconds.
	Grace time.Duration
}

// Options are what holds for one call.
type Options struct {
	// Judged are the paths of the call as they were judged, from [Set.Facts]: one that leads elsewhere by now is refused. Nil
	// judges nothing.
	Judged []permission.Path
	// Outside are the paths outside of the session's folder that this call may touch, as [Set.Facts] gave them.
	Outside []string
	// Skip leaves files and folders out of ls, grep and find, by their absolute path with slashes; nil leaves out none.
	Skip func(path string) bool
	// Stream is told a command's output as it comes, in pieces of whole characters; nil is told nothing.
	Stream func(text string)
}

// Result is what came of a call.
type Result struct {
	// Text is for the model: UTF-8, within the budget.
	Text    string
	IsError bool
	// Whole is all of it, if Text is only head and tail; else it is empty.
	Whole  string
	Images []Image
	// Diff shows the changes in the unified format.
	Diff    string
	Changes []Change
}

// Image is an image among the session's blobs.
type Image struct {
	MediaType string `json:"mediaType"`
	Blob      string `json:"blob"`
	Bytes     int    `json:"bytes"`
}

// DefaultBudget is about 7,500 tokens, a twentieth of a usual context window. Much less, such as ten kilobytes, cuts
// sources and test runs of ordinary size, and each cut costs a further request with the whole context.
const DefaultBudget = 30_000

// Set are the tools of one session. Its methods may be called from several goroutines.
type Set struct {
	workspace Workspace
	// changing lets one call at a time change files.
	changing sync.Mutex
	mu       sync.Mutex
	seen     map[string]stamp // what files were when the model last saw them; belongs to mu
}

// tool is one of the tools; see [define].
type tool struct {
	about    llm.Tool
	readOnly bool
	target   func(arguments string) (path, command string, err error)
	run      func(j *job, arguments string) (Result, error)
}

var all = []tool{readTool, lsTool, grepTool, findTool, writeTool, editTool, bashTool}

// legacyNames are the names of before a migration (spec §7.5.3).
var legacyNames = map[string]string{"read_file": "read", "write_file": "write", "list_directory": "ls"}

// New gives a session its tools.
func New(w Workspace) *Set {
	if w.Budget == 0 {
		w.Budget = DefaultBudget
	}
	w.Budget = max(w.Budget, budgetLeast)
	if w.Timeout == 0 {
		w.Timeout = 2 * time.Minute
	}
	if w.Grace == 0 {
		w.Grace = 2 * time.Second
	}
	return &Set{workspace: w, seen: map[string]stamp{}}
}

// List is what the model is told of.
func (*Set) List() []llm.Tool {
	list := make([]llm.Tool, len(all))
	for i, t := range all {
		list[i] = t.about
	}
	return list
}

// ReadOnly tells whether a tool changes nothing, whatever its arguments.
func (*Set) ReadOnly(name string) bool {
	t, err := find(name)
	return err == nil && t.readOnly
}

// Facts says what a call is about to touch. An error is for the model: the call could not run.
func (s *Set) Facts(call llm.Call) (permission.Call, error) {
	t, err := find(call.Name)
	if err != nil {
		return permission.Call{}, err
	}
	name, command, err := t.target(call.Arguments)
	if err != nil {
		return permission.Call{}, err
	}
	dir, err := s.dir()
	if err != nil {
		return permission.Call{}, err
	}
	facts := permission.Call{
		Tool: t.about.Name, Command: command, Shell: shell, Dir: filepath.ToSlash(dir), Home: home(),
		FoldCase: runtime.GOOS == "windows" || runtime.GOOS == "darwin",
	}
	if command != "" {
		return facts, nil
	}
	given := s.absolute(name)
	target, err := resolve(given)
	if err != nil {
		return permission.Call{}, err
	}
	facts.Paths = []permission.Path{{Real: filepath.ToSlash(target), Given: filepath.ToSlash(given)}}
	return facts, nil
}

// Preview shows what a call of write or edit would change, in the unified format, and changes nothing. It is empty for other
// calls, and where it can't be told.
func (s *Set) Preview(ctx context.Context, call llm.Call, with Options) string {
	t, err := find(call.Name)
	if err != nil || t.about.Name != writeTool.about.Name && t.about.Name != editTool.about.Name {
		return ""
	}
	r, err := t.run(&job{Set: s, ctx: ctx, with: with, dry: true}, call.Arguments)
	if err != nil {
		return ""
	}
	return hide(r.Diff, s.keys())
}

func (s *Set) keys() []string {
	if s.workspace.Keys == nil {
		return nil
	}
	return s.workspace.Keys()
}

// Run runs a call, whoever may or may not have allowed it. It returns when everything that the call began has ended.
func (s *Set) Run(ctx context.Context, call llm.Call, with Options) Result {
	t, err := find(call.Name)
	if err != nil {
		return failed(err)
	}
	if with.Stream != nil {
		piecewise := &hider{keys: s.keys(), out: with.Stream}
		with.Stream = piecewise.write
		defer piecewise.end()
	}
	r, err := t.run(&job{Set: s, ctx: ctx, with: with}, call.Arguments)
	if err != nil {
		r = failed(err)
	}
	text := hide(valid(r.Text), s.keys()) // before it is cut, which may be within a key
	r.Text, r.Diff = text, hide(r.Diff, s.keys())
	if cut := middle(text, s.workspace.Budget); cut != text {
		r.Text, r.Whole = cut, text
	}
	return r
}

func failed(err error) Result { return Result{Text: valid(err.Error()), IsError: true} }

// job is one call as it runs.
type job struct {
	*Set
	ctx  context.Context
	with Options
	// dry shows what would be changed, and changes nothing.
	dry bool
}

func find(name string) (tool, error) {
	name = strings.ToLower(name)
	if now, ok := legacyNames[name]; ok {
		name = now
	}
	var names []string
	for _, t := range all {
		if t.about.Name == name {
			return t, nil
		}
		names = append(names, t.about.Name)
	}
	return tool{}, fmt.Errorf("there is no tool %q; there are %s", name, strings.Join(names, ", "))
}

// dir is the session's folder without symbolic links.
func (s *Set) dir() (string, error) {
	dir, err := filepath.EvalSymlinks(s.workspace.Dir)
	if err != nil {
		return "", fmt.Errorf("the session's folder is not there: %w", err)
	}
	return dir, nil
}

func home() string {
	dir, err := config.UserHome()
	if err != nil {
		return ""
	}
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		dir = target
	}
	return filepath.ToSlash(dir)
}

var errNoKeep = errors.New("there is nowhere to keep what is changed")

func (s *Set) keep(data []byte) (string, error) {
	if s.workspace.Keep == nil {
		return "", errNoKeep
	}
	return s.workspace.Keep(data)
}
