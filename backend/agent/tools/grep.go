package tools

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
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
	grepLine    = 400      // bytes of one line that are shown
	grepFile    = 16 << 20 // bytes of a file that is searched: it is held in memory
)

// search is one grep as it runs.
type search struct {
	pattern *regexp.Regexp
	// quick matches every text that holds a line which pattern matches; nil if there is no such.
	quick          *regexp.Regexp
	context, limit int
	found          int
	unread, begun  bool
	out            strings.Builder
}

func grep(j *job, a grepArguments) (Result, error) {
	if a.Pattern == "" {
		return Result{}, errors.New("pattern is missing")
	}
	flags := ""
	if a.IgnoreCase {
		flags = "(?i)"
	}
	pattern, err := regexp.Compile(flags + a.Pattern)
	if err != nil {
		return Result{}, fmt.Errorf("the regular expression can't be read: %w", err)
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

// quickly is a pattern for whole files: most have no match, and need not be taken apart.
func quickly(pattern, flags string) *regexp.Regexp {
	if strings.Contains(pattern, `\A`) || strings.Contains(pattern, `\z`) || strings.Contains(pattern, "(?") {
		return nil
	}
	quick, err := regexp.Compile("(?m)" + flags + pattern)
	if err != nil {
		return nil
	}
	return quick
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

// in searches one file; enough tells that as much was found as may be.
func (s *search) in(ctx context.Context, name string, data []byte) (enough bool) {
	if s.quick != nil && bytes.IndexByte(data, '\r') < 0 && !s.quick.Match(data) {
		return false
	}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	last := -1 // the last line that was shown
	for i, line := range lines {
		if i%10_000 == 0 && ctx.Err() != nil {
			return true
		}
		if !s.pattern.Match(bytes.TrimSuffix(line, []byte("\r"))) {
			continue
		}
		if s.found == s.limit {
			return true
		}
		s.found++
		from := max(i-s.context, last+1)
		if s.context > 0 && s.begun && (last < 0 || from > last+1) {
			s.out.WriteString("--\n")
		}
		for at := from; at < i; at++ {
			s.line(name, '-', at, lines[at])
		}
		if i > last {
			s.line(name, ':', i, line)
		}
		last, s.begun = max(last, i), true
		for at := i + 1; at <= min(i+s.context, len(lines)-1) && !s.pattern.Match(bytes.TrimSuffix(lines[at], []byte("\r"))); at++ {
			s.line(name, '-', at, lines[at])
			last = at
		}
	}
	return false
}

func (s *search) line(name string, mark byte, at int, line []byte) {
	const more = 4 // so that the last character is whole
	shown := valid(string(bytes.TrimSuffix(line[:min(len(line), grepLine+more)], []byte("\r"))))
	if len(line) > grepLine {
		shown = fmt.Sprintf("%s [… this line has %d bytes]", headOf(shown, grepLine), len(line))
	}
	fmt.Fprintf(&s.out, "%s%c%d%c%s\n", name, mark, at+1, mark, shown)
}

func (s *search) text(short bool) string {
	if s.found == 0 {
		s.out.WriteString("[no matches]\n")
	}
	if short {
		fmt.Fprintf(&s.out, "[%d matching lines shown; there may be more]\n", s.found)
	}
	if s.unread {
		s.out.WriteString("[some files were too large, or could not be read]\n")
	}
	return s.out.String()
}
