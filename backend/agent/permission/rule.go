package permission

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Effect is what becomes of a call. The zero value asks.
type Effect int

// Effects.
const (
	Ask Effect = iota
	Allow
	Deny
)

// String is the effect as settings write it.
func (e Effect) String() string {
	return [...]string{"ask", "allow", "deny"}[e]
}

// Scope is where a rule comes from. A greater one is nearer to the conversation.
type Scope int

// Scopes.
const (
	Default Scope = iota
	Config
	Session
)

// String says whose rule it is, for a sentence.
func (s Scope) String() string {
	return [...]string{"by default", "in the settings", "in this session"}[s]
}

// Rule says what becomes of the calls that it covers.
type Rule struct {
	// Tool is a tool's name, or * for all.
	Tool string
	// Pattern is empty for every call of the tool.
	Pattern string
	Effect  Effect
	Scope   Scope
}

// String is the rule as it is written; [Parse] reads it.
func (r Rule) String() string {
	if r.Pattern == "" {
		return r.Tool
	}
	return r.Tool + "(" + r.Pattern + ")"
}

// patternMost bounds a pattern in bytes: matching takes time, and rules are written by hand.
const patternMost = 4096

// Parse reads a rule. Its error says what is wrong with the text in words for the user who wrote it.
func Parse(text string, effect Effect, scope Scope) (Rule, error) {
	tool, pattern, found := strings.Cut(strings.TrimSpace(text), "(")
	r := Rule{Tool: strings.ToLower(strings.TrimSpace(tool)), Effect: effect, Scope: scope}
	if !isToolName(r.Tool) {
		return Rule{}, fmt.Errorf("rule %q: it must begin with a tool's name, or be *", text)
	}
	if !found {
		return r, nil
	}
	pattern, closed := strings.CutSuffix(pattern, ")")
	pattern = strings.TrimSpace(pattern)
	switch {
	case !closed:
		return Rule{}, fmt.Errorf("rule %q: the closing parenthesis is missing", text)
	case len(pattern) > patternMost:
		return Rule{}, fmt.Errorf("rule of %d bytes: %d at most", len(text), patternMost)
	case r.Tool == "*":
		return Rule{}, fmt.Errorf("rule %q: * stands for every tool and takes no pattern", text)
	case pattern == "":
		return Rule{}, fmt.Errorf("rule %q: the pattern is empty; for every call write %q", text, r.Tool)
	}
	if r.Tool == bashTool {
		return parseCommandRule(r, pattern)
	}
	return parsePathRule(r, pattern)
}

func isToolName(name string) bool {
	if name == "*" {
		return true
	}
	for _, c := range name {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789_-.", c) {
			return false
		}
	}
	return name != ""
}

func parseCommandRule(r Rule, pattern string) (Rule, error) {
	if before, ok := strings.CutSuffix(pattern, ":*"); ok {
		return Rule{}, fmt.Errorf("rule %q: for any arguments write %q", r.Tool+"("+pattern+")", r.Tool+"("+before+" *)")
	}
	if pattern != "*" && pattern != "**" {
		r.Pattern = pattern
	}
	return r, nil
}

func parsePathRule(r Rule, pattern string) (Rule, error) {
	cleaned := path.Clean(pattern)
	if !doublestar.ValidatePattern(cleaned) || strings.Count(cleaned, "{") > bracesMost || strings.TrimSpace(cleaned) != cleaned {
		return Rule{}, fmt.Errorf("rule %q: this is no valid pattern for paths", r.Tool+"("+pattern+")")
	}
	for part := range strings.SplitSeq(pattern, "/") {
		if part == ".." {
			return Rule{}, fmt.Errorf("rule %q: a pattern can't hold \"..\"; write the whole path", r.Tool+"("+pattern+")")
		}
	}
	r.Pattern = cleaned
	return r, nil
}

// bracesMost bounds the alternatives of a pattern, which multiply.
const bracesMost = 4

// Defaults are the rules of a program without any: looking at what is in the session's folder is allowed.
func Defaults() []Rule {
	var rules []Rule
	for _, tool := range []string{"read", "ls", "grep", "find"} {
		rules = append(rules, Rule{Tool: tool, Pattern: "**", Effect: Allow, Scope: Default})
	}
	return rules
}
