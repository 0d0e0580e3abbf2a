package permission

import "fmt"

// bashTool is the tool whose calls are commands.
const bashTool = "bash"

// Shell is what runs commands.
type Shell int

// Shells.
const (
	Bash Shell = iota
	PowerShell
)

// Call is what a tool is about to do. Who makes it has read the arguments, and resolved the paths.
type Call struct {
	// Tool is the tool's name, in lower case.
	Tool string
	// Command is what a shell is to run, for the tool bash.
	Command string
	Shell   Shell
	// Paths are the files and folders that the call touches.
	Paths []Path
	// Dir and Home are what patterns that are relative, or begin with ~/, are relative to; absolute, without symbolic links.
	Dir, Home string
	// FoldCase tells that names that differ in case alone are the same, as on Windows and macOS.
	FoldCase bool
}

// Path is a file or folder, absolute, with slashes.
type Path struct {
	// Real is without symbolic links: what is touched.
	Real string
	// Given is what was asked for, cleaned. A deny rule for either counts.
	Given string
}

// Decision is what becomes of a call.
type Decision struct {
	Effect Effect
	// Rule is the one that decided; nil if there was none.
	Rule *Rule
	// Why is a sentence for the user, and for the model if it is denied.
	Why string
}

// Decide judges a call by rules of any scopes, in any order. Those of [Defaults] are not added.
func Decide(rules []Rule, call Call) Decision {
	var mine []Rule
	for _, r := range rules {
		if isFor(r, call) {
			mine = append(mine, r)
		}
	}
	switch {
	case call.Tool == bashTool:
		return decideCommand(mine, call)
	case len(call.Paths) > 0:
		return decidePaths(mine, call)
	}
	return judge(mine, func(r Rule) match { return matchIf(r.Pattern == "") }, "this call of "+call.Tool)
}

// isFor tells whether a rule is for the tool of a call, or keeps files from it.
func isFor(r Rule, call Call) bool {
	return r.Tool == call.Tool || r.Tool == "*" || (r.Effect == Deny && kin[call.Tool] == r.Tool && r.Pattern != "")
}

// kin are tools that do to a file what another does: a file that must not be edited must not be overwritten either.
var kin = map[string]string{"edit": "write", "write": "edit", "grep": "read"}

// match is whether a rule covers something; unsure if that can't be told.
type match int

const (
	no match = iota
	unsure
	yes
)

func matchIf(b bool) match {
	if b {
		return yes
	}
	return no
}

// judge finds the rule that decides about one thing, named by what.
func judge(rules []Rule, covers func(Rule) match, what string) Decision {
	decision, highest := Decision{Why: fmt.Sprintf("No rule allows %s.", what)}, 0
	for i, r := range rules {
		m := covers(r)
		if rank := rankOf(r, m); rank > highest {
			highest = rank
			decision = Decision{Effect: r.Effect, Rule: &rules[i], Why: sentence(r, m, what)}
			if m == unsure {
				decision.Effect = Ask
			}
		}
	}
	return decision
}

// rankOf orders the rules that cover a thing: the highest decides. A deny rule that may cover it comes before every rule
// but a deny rule that does.
func rankOf(r Rule, m match) int {
	switch {
	case m == no || (m == unsure && r.Effect == Allow):
		return 0
	case r.Effect == Deny && m == yes:
		return 300 + int(r.Scope)
	case r.Effect == Deny:
		return 200 + int(r.Scope)
	case r.Effect == Ask:
		return 100 + 2*int(r.Scope) + 1
	}
	return 100 + 2*int(r.Scope)
}

func sentence(r Rule, m match, what string) string {
	says := map[Effect]string{Allow: "allows", Ask: "asks before", Deny: "denies"}[r.Effect]
	if m == unsure {
		says = "may cover, and that can't be told:"
	}
	return fmt.Sprintf("The rule %s, set %s, %s %s.", r, r.Scope, says, what)
}

// stricter is the decision of two that holds for both together.
func stricter(a, b Decision) Decision {
	rank := [...]int{Allow: 0, Ask: 1, Deny: 2}
	if rank[b.Effect] > rank[a.Effect] {
		return b
	}
	return a
}
