package tools

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
)

const (
	grepLine  = 400     // bytes of one line that are shown
	grepShown = 4 << 20 // bytes of what is found
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
