package permission

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// subcommands are programs whose first argument says what they do, with those that are safe to allow with any further
// arguments but the [traps]: they look at what is in the folder. What builds or tests runs whatever an option names, and
// git diff shows any two files: they are allowed word by word.
var subcommands = map[string]string{
	"git": "status log show blame ls-files rev-parse describe",
	"go":  "list doc version",
}

// lookers are programs that show what no file holds and change none, whatever their arguments but the [traps].
var lookers = strings.Fields("ls wc pwd echo which stat du df uname whoami")

// Suggest proposes the rules that, all of them allowed, let a call and calls of its kind run: as narrow as is useful. There
// are none if no rule would do, or none that is narrower than the tool.
func Suggest(call Call) []Rule {
	var rules []Rule
	add := func(pattern string) {
		r, err := Parse(call.Tool+"("+pattern+")", Allow, Session)
		if err == nil && r.Pattern != "" && !slices.Contains(rules, r) {
			rules = append(rules, r)
		}
	}
	switch {
	case call.Tool == bashTool:
		for _, pattern := range commandPatterns(call) {
			add(pattern)
		}
	case len(call.Paths) > 0:
		for _, p := range call.Paths {
			add(pathPattern(call, p.Real))
		}
	default:
		rules = append(rules, Rule{Tool: call.Tool, Effect: Allow, Scope: Session})
	}
	if Decide(rules, call).Effect != Allow {
		return nil
	}
	return rules
}

func commandPatterns(call Call) []string {
	whole := strings.TrimSpace(call.Command)
	if strings.HasSuffix(whole, " *") {
		return nil // as a rule it would mean more than it says
	}
	if call.Shell != Bash {
		return []string{whole}
	}
	s := readScript(call.Command, call.FoldCase)
	if s.hidden != "" || s.effects != "" {
		return []string{whole}
	}
	var patterns []string
	for _, c := range s.commands {
		if c.free {
			continue
		}
		pattern, ok := patternOf(c)
		if !ok {
			return []string{whole}
		}
		patterns = append(patterns, pattern)
	}
	return patterns
}

// patternOf is the rule for one command: with its arguments, or without those that don't matter.
func patternOf(c command) (string, bool) {
	name := c.words[0].text
	if slices.Contains(lookers, name) {
		return name + " *", true
	}
	if len(c.words) > 1 && c.words[1].known && slices.Contains(strings.Fields(subcommands[name]), c.words[1].text) {
		return name + " " + c.words[1].text + " *", true
	}
	if c.open {
		return "", false
	}
	words := make([]string, len(c.words))
	for i, w := range c.words {
		if !w.known {
			return "", false
		}
		words[i] = quoted(w.text)
	}
	return strings.Join(words, " "), true
}

// quoted is a word as a shell reads it.
func quoted(text string) string {
	bare := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=,@%+", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !bare(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// pathPattern is the file, or what is in the folder of a tool that walks through folders; relative if it is in the
// session's folder.
func pathPattern(call Call, file string) string {
	below, ok := inside(call.Dir, file)
	if ok {
		file = below
	}
	pattern := escape(file)
	if slices.Contains([]string{"ls", "grep", "find"}, call.Tool) {
		pattern = path.Join(pattern, "**")
	}
	return pattern
}

// escape makes a path a pattern for itself.
func escape(file string) string {
	var out strings.Builder
	for _, r := range file {
		if strings.ContainsRune(`*?[]{}\`, r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	if pattern := out.String(); doublestar.ValidatePattern(pattern) {
		return pattern
	}
	return file
}
