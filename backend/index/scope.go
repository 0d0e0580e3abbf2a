package index

import "slices"

// Scope says what part of a conversation a text is.
type Scope uint8

// The scopes, those whose hits say most of a session first but for the summary and the name.
const (
	User      Scope = iota // what a person wrote
	Assistant              // what the model answered
	Thinking               // what the model thought
	Call                   // what a tool was called with
	Output                 // what a tool gave back
	Summary                // what stands for messages that were compacted
	Name                   // what the session is called
	Injected               // what no person wrote: what a program or another agent put before the model, as a person's words or beside them
)

// Scopes are all of them.
var Scopes = []Scope{User, Assistant, Thinking, Call, Output, Summary, Name, Injected}

var scopeNames = []string{"user", "assistant", "thinking", "call", "output", "summary", "name", "injected"}

// String is the scope's name in queries and in JSON.
func (s Scope) String() string {
	if int(s) < len(scopeNames) {
		return scopeNames[s]
	}
	return "unknown"
}

// ParseScope is the scope of a name, if there is one.
func ParseScope(name string) (Scope, bool) {
	at := slices.Index(scopeNames, name)
	if at < 0 {
		return 0, false
	}
	return Scope(at), true
}

// ranks say which of two hits shows better what a session is about: the lower.
var ranks = [...]uint8{User: 1, Assistant: 2, Thinking: 4, Call: 4, Output: 4, Summary: 3, Name: 0, Injected: 5}

// scopeSet is a set of scopes, a bit for each.
type scopeSet uint8

func setOf(scopes []Scope) scopeSet {
	if scopes == nil {
		return 1<<len(ranks) - 1
	}
	var set scopeSet
	for _, s := range scopes {
		set |= 1 << s
	}
	return set
}

func (s scopeSet) has(scope Scope) bool { return s&(1<<scope) != 0 }

// best is the rank of the best of them; worse than all ranks for none.
func (s scopeSet) best() uint8 {
	best := uint8(len(ranks))
	for _, scope := range Scopes {
		if s.has(scope) {
			best = min(best, ranks[scope])
		}
	}
	return best
}
