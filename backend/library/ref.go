package library

import (
	"fmt"
	"slices"
	"strings"

	"palimpsest/backend/session"
)

// names are the agents whose sessions an id may name, whether they can be read or not.
var names = []string{"codex", "pi", "opencode", "claudecode", "openclaw", "coderclaw", "crabtalk", "picoclaw", "gemini"}

// Ref names a session of another agent: agent:id.
type Ref struct{ Agent, ID string }

func (r Ref) String() string { return r.Agent + ":" + r.ID }

// IsRef tells whether an id is meant for a session of another agent.
func IsRef(text string) bool { return strings.Contains(text, ":") }

// ParseRef reads agent:id. What is not well-formed is [session.ErrInvalidID].
func ParseRef(text string) (Ref, error) {
	agent, id, _ := strings.Cut(text, ":")
	switch {
	case !slices.Contains(names, agent):
		return Ref{}, fmt.Errorf("%w: %q names no agent that is known here (%s)", session.ErrInvalidID, clip(text), strings.Join(names, ", "))
	case !wellFormed(id):
		return Ref{}, fmt.Errorf("%w: %q (agent:id, with an id of at most %d bytes)", session.ErrInvalidID, clip(text), idMost)
	}
	return Ref{agent, id}, nil
}

func clip(text string) string {
	const most = 60
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
