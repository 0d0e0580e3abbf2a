package backend

import (
	"palimpsest/backend/library"
	"palimpsest/backend/session"
)

// lost is damage as it is in a session: what would be a line that a crash tore is, in one of another agent, a record of the original that
// is lost. The seqs around it tell nothing there, since they were given out by this program's reading.
func lost(id string, d session.Damage) session.Damage {
	if d.Kind == session.DamageTorn && library.IsRef(id) {
		d.Kind = session.DamageCorrupt
	}
	return d
}

// allLost is the same of several, which are changed.
func allLost(id string, all []session.Damage) []session.Damage {
	for i := range all {
		all[i] = lost(id, all[i])
	}
	return all
}
