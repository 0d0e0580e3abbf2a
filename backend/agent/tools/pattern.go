package tools

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// grepSize bounds a regular expression, in steps of its program: each byte may take as many.
const grepSize = 2000

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

// A glob is written by a model, and tried on every path. More braces than this multiply too far.
const (
	globMost   = 500 // bytes
	globBraces = 4
)

// globbing reads a glob. One without a slash is for names, whatever folder they are in.
func globbing(pattern string) (matches func(below string) bool, err error) {
	pattern = strings.TrimPrefix(pattern, "./")
	switch {
	case pattern == "":
		return nil, errors.New("pattern is missing")
	case len(pattern) > globMost || strings.Count(pattern, "{") > globBraces || strings.Count(pattern, "**") > globBraces:
		return nil, fmt.Errorf("the glob %.40q… is too long, or has too many { and **", pattern)
	case !doublestar.ValidatePattern(pattern):
		return nil, fmt.Errorf("%q is no valid glob", pattern)
	case strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "../"):
		return nil, fmt.Errorf("the glob %q can't leave the folder; name that as path", pattern)
	}
	named := !strings.Contains(pattern, "/")
	return func(below string) bool {
		if named {
			below = path.Base(below)
		}
		matched, err := doublestar.Match(pattern, below)
		return err == nil && matched
	}, nil
}
