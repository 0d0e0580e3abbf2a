package permission

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// decidePaths judges each path on its own; the strictest judgement holds.
func decidePaths(rules []Rule, call Call) Decision {
	decision := Decision{Effect: Allow}
	for i, p := range call.Paths {
		d := judge(rules, func(r Rule) match { return coversPath(r, call, p) }, call.Tool+" of "+shown(p, call))
		if i == 0 {
			decision = d
			continue
		}
		decision = stricter(decision, d)
	}
	return decision
}

// Hidden tells whether a deny rule keeps a call from what a file or folder below its paths holds. Tools that walk through
// folders leave such out.
func Hidden(rules []Rule, call Call, p Path) bool {
	for _, r := range rules {
		if r.Effect == Deny && isFor(r, call) && coversPath(r, call, p) == yes {
			return true
		}
	}
	return false
}

func coversPath(r Rule, call Call, p Path) match {
	if r.Effect != Allow {
		return matchIf(inPattern(r, call, p.Real) || inPattern(r, call, p.Given))
	}
	return matchIf(inPattern(r, call, p.Real) && !guarded(r, call, p.Real))
}

func inPattern(r Rule, call Call, file string) bool {
	if r.Pattern == "" {
		return true
	}
	pattern, base := r.Pattern, ""
	switch {
	case pattern == "~" || strings.HasPrefix(pattern, "~/"):
		pattern, base = strings.TrimPrefix(strings.TrimPrefix(pattern, "~"), "/"), call.Home
	case !isAbsolute(pattern):
		base = call.Dir
	}
	if r.Pattern == "~" {
		pattern = "."
	}
	if call.FoldCase {
		pattern, base, file = strings.ToLower(pattern), strings.ToLower(base), strings.ToLower(file)
	}
	if base != "" {
		below, ok := inside(base, file)
		if !ok {
			return false
		}
		file = below
	} else if !isAbsolute(pattern) {
		return false // relative to a folder that nobody knows
	}
	if pattern == "**" {
		return true // also the folder itself, which has no name here
	}
	matched, err := doublestar.Match(pattern, file)
	return err == nil && matched
}

// isAbsolute knows C:/ on every system, so that a rule means the same wherever it is read.
func isAbsolute(pattern string) bool {
	return strings.HasPrefix(pattern, "/") || (len(pattern) > 2 && pattern[1] == ':' && pattern[2] == '/')
}

// inside is the path of a file relative to a folder that it is in; the folder itself is ".".
func inside(folder, file string) (string, bool) {
	if file == folder {
		return ".", true
	}
	below, ok := strings.CutPrefix(file, strings.TrimSuffix(folder, "/")+"/")
	return below, ok
}

// guarded tells whether writing a file is more than writing a file, so that a rule with wildcards does not allow it: what
// is in .git runs at the next commit. A rule that says .git means it.
func guarded(r Rule, call Call, file string) bool {
	if call.Tool != "write" && call.Tool != "edit" {
		return false
	}
	if strings.Contains(strings.ToLower(r.Pattern), ".git/") || strings.HasSuffix(strings.ToLower(r.Pattern), ".git") || r.Pattern == "" {
		return false
	}
	for part := range strings.SplitSeq(file, "/") {
		if strings.EqualFold(part, ".git") {
			return true
		}
	}
	return false
}

// shown is a path as it is told: short if it is in the session's folder.
func shown(p Path, call Call) string {
	if below, ok := inside(call.Dir, p.Real); ok {
		return below
	}
	return path.Clean(p.Real)
}
