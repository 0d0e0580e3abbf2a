package backend

import (
	"math"

	"palimpsest/backend/library"
	"palimpsest/backend/session"
)

// theirs is how much of a session's log was read from another agent's: all of one that is, and of a copy what it began with.
func theirs(id string, meta session.Metadata) int64 {
	if library.IsRef(id) {
		return math.MaxInt64
	}
	return meta.Theirs()
}

// allLost is damage as it is in a session of whose log so much is another agent's. What is given is changed.
func allLost(theirs int64, all []session.Damage) []session.Damage {
	for i := range all {
		all[i] = all[i].Lost(theirs)
	}
	return all
}
