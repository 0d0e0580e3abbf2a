package openclaw

import (
	"slices"

	"palimpsest/backend/sources"
)

// related tells whether a relation in a database is one that lists show.
func related(reason string) sources.Relation {
	switch {
	case reason == "fork":
		return sources.Fork
	case slices.Contains([]string{"reset", "rollover", "rewind", "switch", "recovery", "compaction"}, reason):
		return sources.Continuation
	}
	return ""
}

// cameFrom puts to a session what its window tells of where it came from or, if it is the first of its conversation, what the conversation does.
func cameFrom(f *sources.Found, previous, reason, forkOf string) {
	relation := related(reason)
	switch {
	case previous != "" && relation != "":
		f.Parent, f.Relation = previous, relation
	case forkOf != "" && forkOf != f.ID && relation != sources.Continuation:
		f.Parent, f.Relation = forkOf, sources.Fork
	}
}
