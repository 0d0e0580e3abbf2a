package tools

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
)

//go:embed grep.md
var grepAbout string

type grepArguments struct {
	Pattern    string `json:"pattern"`
	Path       string `json:"path"`
	Glob       string `json:"glob"`
	IgnoreCase bool   `json:"ignoreCase"`
	Context    count  `json:"context"`
	Limit      count  `json:"limit"`
}

func (a grepArguments) target() (string, string) { return orHere(a.Path), "" }

var grepTool = define("grep", grepAbout, true, schema(
	parameter{name: "pattern", kind: "string", about: "The regular expression.", required: true},
	parameter{name: "path", kind: "string", about: "The file or folder to search; the working directory if left out."},
	parameter{name: "glob", kind: "string", about: "Which files to search; all if left out."},
	parameter{name: "ignoreCase", kind: "boolean", about: "Whether upper and lower case are the same."},
	parameter{name: "context", kind: "integer", about: "How many lines to show before and after each match, 20 at most."},
	parameter{name: "limit", kind: "integer", about: "How many matching lines at most; 200 if left out."},
), map[string]string{
	"regex": "pattern", "query": "pattern", "include": "glob", "-i": "ignoreCase", "-C": "context", "head_limit": "limit",
	"file_path": "path", "filePath": "path",
}, grep)

const (
	grepMatches = 200
	grepMost    = 5000
	grepContext = 20
	grepFile    = 16 << 20 // bytes of a file that is searched: it is held in memory
)

func grep(j *job, a grepArguments) (Result, error) {
	if a.Pattern == "" {
		return Result{}, errors.New("pattern is missing")
	}
	flags := ""
	if a.IgnoreCase {
		flags = "(?i)"
	}
	pattern, err := compile(flags + a.Pattern)
	if err != nil {
		return Result{}, err
	}
	matches := func(string) bool { return true }
	if a.Glob != "" {
		if matches, err = globbing(a.Glob); err != nil {
			return Result{}, err
		}
	}
	p, err := j.place(orHere(a.Path))
	if err != nil {
		return Result{}, err
	}
	defer p.Close()
	s := &search{pattern: pattern, quick: quickly(a.Pattern, flags), context: a.Context.or(0, grepContext), limit: a.Limit.or(grepMatches, grepMost)}
	short, err := s.run(j, p, matches)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: s.text(short)}, nil
}

func (s *search) run(j *job, p *place, matches func(string) bool) (short bool, err error) {
	info, err := p.root.Stat(p.name)
	if err != nil {
		return false, p.explain(err)
	}
	if !info.IsDir() {
		data, _, err := p.contents(grepFile)
		if err != nil {
			return false, err
		}
		if isBinary(data) {
			return false, fmt.Errorf("%s is a binary file, which can't be searched", p.shown)
		}
		return s.in(j.ctx, p.join("."), data), nil
	}
	return j.walk(p, func(below string, entry fs.DirEntry) error {
		if !entry.Type().IsRegular() || !matches(below) {
			return nil
		}
		in := *p
		in.name = filepath.Join(p.name, filepath.FromSlash(below))
		in.shown = path.Join(p.shown, below)
		data, _, err := in.contents(grepFile)
		if err != nil {
			s.unread = true
			return nil //nolint:nilerr // one file that can't be read is no reason not to search the others; it is told
		}
		if isBinary(data) {
			return nil
		}
		if s.in(j.ctx, p.join(below), data) {
			return errEnough
		}
		return nil
	})
}
