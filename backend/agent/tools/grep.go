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
	"regexp/syntax"
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
	grepShown   = 4 << 20  // bytes of what is found
	// grepSize bounds a regular expression, in steps of its program: each byte may take as many.
	grepSize = 2000
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

// compile reads a regular expression that is not too large to be tried on a whole tree.
func compile(text string) (*regexp.Regexp, error) {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("the regular expression can't be read: %w", err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(program.Inst) > grepSize {
		return nil, errors.New("the regular expression is too large; repeat less")
	}
	return regexp.Compile(text) //nolint:wrapcheck // it was just read
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

// in searches one file; enough tells that as much was found as may be, or that the call was stopped.
func (s *search) in(ctx context.Context, name string, data []byte) (enough bool) {
	if !s.mayMatch(ctx, data) {
		return ctx.Err() != nil
	}
	lines := linesOf(data)
	last := -1 // the last line that was shown
	for i := range lines.count() {
		if i%1000 == 0 && ctx.Err() != nil {
			return true
		}
		if !s.pattern.Match(lines.at(i)) {
			continue
		}
		if s.found == s.limit || s.out.Len() > grepShown {
			return true
		}
		s.found++
		from := max(i-s.context, last+1)
		if s.context > 0 && s.begun && (last < 0 || from > last+1) {
			s.out.WriteString("--\n")
		}
		for at := from; at < i; at++ {
			s.line(name, '-', at, lines.at(at))
		}
		if i > last {
			s.line(name, ':', i, lines.at(i))
		}
		last, s.begun = max(last, i), true
		for at := i + 1; at <= min(i+s.context, lines.count()-1) && !s.pattern.Match(lines.at(at)); at++ {
			s.line(name, '-', at, lines.at(at))
			last = at
		}
	}
	return false
}

// mayMatch looks at parts of a text, so that a slow pattern can be stopped between them.
func (s *search) mayMatch(ctx context.Context, data []byte) bool {
	if s.quick == nil || bytes.IndexByte(data, '\r') >= 0 {
		return true
	}
	const part = 256 << 10
	for len(data) > 0 && ctx.Err() == nil {
		end := len(data)
		if end > part {
			if line := bytes.IndexByte(data[part:], '\n'); line >= 0 {
				end = part + line + 1
			}
		}
		if s.quick.Match(data[:end]) {
			return true
		}
		data = data[end:]
	}
	return false
}

// lines are a text with the offsets of its lines, which take less memory than the lines themselves.
type lines struct {
	data   []byte
	starts []int32
}

func linesOf(data []byte) lines {
	l := lines{data: bytes.TrimSuffix(data, []byte("\n")), starts: []int32{0}}
	for i, c := range l.data {
		if c == '\n' {
			l.starts = append(l.starts, int32(i+1))
		}
	}
	return l
}

func (l lines) count() int { return len(l.starts) }

// at is a line without its end.
func (l lines) at(i int) []byte {
	line := l.data[l.starts[i]:]
	if i+1 < len(l.starts) {
		line = l.data[l.starts[i] : l.starts[i+1]-1]
	}
	return bytes.TrimSuffix(line, []byte("\r"))
}

func (s *search) line(name string, mark byte, at int, line []byte) {
	const more = 4 // so that the last character is whole
	shown := valid(string(line[:min(len(line), grepLine+more)]))
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
