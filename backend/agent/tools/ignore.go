package tools

import (
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoring are the rules of .gitignore files that hold in a folder, those of outer folders first. A later one wins.
type ignoring []ignoreRule

// ignoreRule is one line of a .gitignore file.
type ignoreRule struct {
	// base is the folder of the file, absolute, with slashes.
	base    string
	pattern string
	// named tells that the pattern is for the last part of a path, in whatever folder.
	named            bool
	negated, dirOnly bool
}

// ignoreMost bounds a .gitignore file in bytes; what is beyond is not read.
const ignoreMost = 1 << 20

// parseIgnore reads a .gitignore file. A line that is no valid pattern ignores nothing, as in git.
func parseIgnore(text, base string) ignoring {
	var rules ignoring
	for line := range strings.SplitSeq(text, "\n") {
		line = trimEnd(strings.TrimSuffix(line, "\r"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r := ignoreRule{base: base}
		line, r.negated = strings.CutPrefix(line, "!")
		line, r.dirOnly = strings.CutSuffix(line, "/")
		r.named = !strings.Contains(line, "/")
		line = strings.TrimPrefix(line, "/")
		r.pattern = asDoublestar(line)
		if line != "" && doublestar.ValidatePattern(r.pattern) {
			rules = append(rules, r)
		}
	}
	return rules
}

// asDoublestar is a pattern of git's as one of doublestar's. In git, braces are letters, stars beside others are one star
// unless they stand alone between slashes, and a pattern for all that is in a folder is not for the folder itself.
func asDoublestar(line string) string {
	parts := strings.Split(line, "/")
	for i, part := range parts {
		if len(part) > 1 && strings.Trim(part, "*") == "" {
			parts[i] = "**"
			continue
		}
		var out strings.Builder
		for at := 0; at < len(part); at++ {
			switch c := part[at]; {
			case c == '\\' && at+1 < len(part):
				out.WriteString(part[at : at+2])
				at++
			case c == '{' || c == '}':
				out.WriteString(`\` + part[at:at+1])
			case c == '*' && at > 0 && strings.HasSuffix(out.String(), "*") && !strings.HasSuffix(out.String(), `\*`):
			default:
				out.WriteByte(c)
			}
		}
		parts[i] = out.String()
	}
	if last := len(parts) - 1; last > 0 && parts[last] == "**" {
		parts = append(parts, "*")
	}
	return strings.Join(parts, "/")
}

// trimEnd takes spaces off the end of a line, but for one behind a backslash.
func trimEnd(line string) string {
	trimmed := strings.TrimRight(line, " ")
	escapes := len(trimmed) - len(strings.TrimRight(trimmed, `\`))
	if escapes%2 == 1 && len(trimmed) < len(line) {
		return trimmed + " "
	}
	return trimmed
}

// ignores tells whether a file or folder, by its absolute path with slashes, is left out. It is judged alone: who walks
// does not enter folders that are left out.
func (rules ignoring) ignores(file string, isDir bool) bool {
	for _, r := range slices.Backward(rules) {
		if r.covers(file, isDir) {
			return !r.negated
		}
	}
	return false
}

func (r ignoreRule) covers(file string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	name, below := strings.CutPrefix(file, strings.TrimSuffix(r.base, "/")+"/")
	if !below {
		return false
	}
	if r.named {
		name = path.Base(name)
	}
	matched, err := doublestar.Match(r.pattern, name)
	return err == nil && matched
}

// ignoringAbove are the rules that the folders above give one, up to the top of its repository or, in none, to dir. There are none if they
// leave that folder out: then it was asked for by name. Folders above may lie outside of the session's; nothing but their
// .gitignore is looked at.
func ignoringAbove(folder, dir string) ignoring {
	var chain []string
	for at := folder; ; at = filepath.Dir(at) {
		chain = append([]string{at}, chain...)
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			break
		}
		if at == filepath.Dir(at) {
			if !slices.Contains(chain, dir) {
				return nil
			}
			chain = chain[slices.Index(chain, dir):]
			break
		}
	}
	rules := ignoringIn(chain[0], filepath.Join(chain[0], ".git", "info"), "exclude")
	for i, at := range chain[:len(chain)-1] {
		rules = append(rules, ignoringIn(at, at, ".gitignore")...)
		if rules.ignores(filepath.ToSlash(chain[i+1]), true) {
			return nil
		}
	}
	return rules
}

// ignoringIn reads one file of rules, which hold from base on.
func ignoringIn(base, folder, name string) ignoring {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil
	}
	p := place{root: root, name: name, shown: name}
	defer p.Close()
	return p.ignoring(filepath.ToSlash(base))
}

// ignoring reads a file of rules. One that is a link, a pipe or not there has none.
func (p *place) ignoring(base string) ignoring {
	info, err := p.root.Lstat(p.name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, _, err := p.open()
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, ignoreMost))
	if err != nil {
		return nil
	}
	return parseIgnore(string(text), base)
}
