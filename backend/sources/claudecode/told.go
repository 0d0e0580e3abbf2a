package claudecode

import (
	"maps"
	"slices"
	"strconv"

	"palimpsest/backend/sources"
)

// told is what a file told: a session, its last rows, and the names it has for sessions of other files, by their rows. Depth is how many
// subagents deep it is, 0 where nobody says so.
type told struct {
	found sources.Found
	rows  []string
	named map[string]string
	depth int
}

// told is the same in the form that is remembered: how deep it is, how many rows, the rows, and each name behind its row.
func (t told) told() sources.Told {
	notes := append([]string{strconv.Itoa(t.depth), strconv.Itoa(len(t.rows))}, t.rows...)
	for _, row := range slices.Sorted(maps.Keys(t.named)) {
		notes = append(notes, row, t.named[row])
	}
	return sources.Told{Found: t.found, Notes: notes}
}

func toldOf(from *sources.Told) told {
	t := told{found: from.Found}
	if len(from.Notes) < 2 {
		return t
	}
	t.depth, _ = strconv.Atoi(from.Notes[0]) // as told wrote it, and so is the next
	rows, _ := strconv.Atoi(from.Notes[1])
	notes := from.Notes[2:]
	rows = min(rows, len(notes))
	t.rows, notes = notes[:rows], notes[rows:]
	if len(notes) > 0 {
		t.named = make(map[string]string, len(notes)/2)
	}
	for i := 0; i+1 < len(notes); i += 2 {
		t.named[notes[i]] = notes[i+1]
	}
	return t
}
