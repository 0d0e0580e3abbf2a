package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Name is what a filter is about.
type Name string

// The names of filters, as they are typed.
const (
	Agent       Name = "agent"       // whose sessions
	Project     Name = "project"     // a folder in the path that they worked in
	After       Name = "after"       // written to since the beginning of that time
	Before      Name = "before"      // not written to any more since then
	On          Name = "on"          // written to within that time
	Tool        Name = "tool"        // calls and output of a tool
	Is          Name = "is"          // what a session is
	In          Name = "in"          // whether the model still sees it
	Model       Name = "model"       // part of a model's name
	Named       Name = "name"        // part of a session's name
	ID          Name = "id"          // how a session's id begins
	Scope       Name = "scope"       // what kind of text
	Compactions Name = "compactions" // how often a session was compacted
)

// Names are all names of filters, in the order in which they are offered.
func Names() []Name {
	return []Name{Agent, Project, In, Is, After, Before, On, Tool, Scope, Model, Compactions, Named, ID}
}

// What the values of is:, in: and scope: can be.
var words = map[Name][]string{
	Is:    {"compacted", "archived", "gone", "foreign", "damaged", "imported"},
	In:    {"context", "summary", "dropped"},
	Scope: {"user", "assistant", "thinking", "call", "output", "summary", "name", "injected"},
}

// severals are the names of which the value may be several, which nobody can count, with commas between them.
var severals = map[Name]string{
	Agent:   "agents with commas between them, such as codex,pi",
	Project: "folders with commas between them, such as api,web",
	Tool:    "tools with commas between them, such as bash,read",
	Model:   "models with commas between them, such as gpt-5,claude",
}

// Words are the values that a filter can have, nil where they are not counted.
func Words(name Name) []string { return words[name] }

// Filter is a condition on sessions, or on where in them a text stands.
type Filter struct {
	Name  Name   `json:"name"`
	Value string `json:"value"`
	Not   bool   `json:"not"`
}

// filterAt reads a filter that a text begins with; 0 bytes if it does not. Behind two colons or before two slashes there is no value:
// that is code, or an address.
func filterAt(text string) (f Filter, length int) {
	name, rest, found := strings.Cut(text[:wordEnd(text)], ":")
	if !found || !slices.Contains(Names(), Name(name)) {
		return Filter{}, 0
	}
	if rest == "" || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "//") {
		return Filter{}, 0
	}
	value, n := phraseAt(text[len(name)+1:])
	if n == 0 {
		value, n = rest, len(rest)
	}
	return Filter{Name: Name(name), Value: value}, len(name) + 1 + n
}

// String is the filter as it is typed.
func (f Filter) String() string {
	sign := ""
	if f.Not {
		sign = "-"
	}
	plain := sign + string(f.Name) + ":" + f.Value
	if p, n := next(plain, true); !strings.HasPrefix(f.Value, `"`) && n == len(plain) && p.filter != nil && *p.filter == f {
		return plain
	}
	return sign + string(f.Name) + ":" + quoted(f.Value)
}

// Values are the alternatives that the value names, where it may name several. The name of a folder may have a comma in it.
func (f Filter) Values() []string {
	_, some := severals[f.Name]
	values := strings.Split(f.Value, ",")
	switch {
	case words[f.Name] == nil && !some:
		return []string{f.Value}
	case f.Name == Project && len(values) > 1:
		return append(values, f.Value)
	}
	return values
}

// check says in words why the value means nothing; empty if it means something.
func (f Filter) check() string {
	switch f.Name {
	case Is, In, Scope, Agent, Tool, Model, Project:
		for _, value := range f.Values() {
			if known := words[f.Name]; value == "" || known != nil && !slices.Contains(known, value) {
				return fmt.Sprintf("%s: can be %s", f.Name, alternatives(f.Name))
			}
		}
	case After, Before, On:
		if _, ok := readSpan(f.Value); !ok {
			return fmt.Sprintf("%s: needs a time such as 2026, 2026-10, 2026-10-05, 7d, 2w, today or yesterday", f.Name)
		}
	case Compactions:
		if _, _, ok := readBound(f.Value); !ok {
			return "compactions: needs a number such as 5 or >=5"
		}
	case Named, ID:
	}
	return ""
}

// alternatives are the values that a filter can have, in words.
func alternatives(name Name) string {
	if what, ok := severals[name]; ok {
		return what
	}
	all := words[name]
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}

// Bound tells whether a number is one that the value of compactions: admits.
func (f Filter) Bound(n int) bool {
	sign, limit, ok := readBound(f.Value)
	if !ok {
		return false
	}
	switch sign {
	case ">=":
		return n >= limit
	case ">":
		return n > limit
	case "<=":
		return n <= limit
	case "<":
		return n < limit
	}
	return n == limit
}

func readBound(value string) (sign string, limit int, ok bool) {
	digits := strings.TrimLeft(value, "<>=")
	sign = value[:len(value)-len(digits)]
	if !slices.Contains([]string{"", "=", ">", ">=", "<", "<="}, sign) || strings.HasPrefix(digits, "+") || strings.HasPrefix(digits, "-") {
		return "", 0, false
	}
	limit, err := strconv.Atoi(digits)
	return sign, limit, err == nil
}
