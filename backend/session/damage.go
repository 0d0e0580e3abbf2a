package session

import "fmt"

// Kinds of damage.
const (
	// DamageTorn is an unparsable line where nothing else is missing: what a crash left.
	DamageTorn = "torn"
	// DamageCorrupt is any other line that is neither a record nor one of a newer version.
	DamageCorrupt = "corrupt"
	// DamageOrder is a seq not above the nearest earlier record's. The record is used all the same.
	DamageOrder = "order"
	// DamageGap is one or more seqs missing with no damaged line to account for them.
	DamageGap = "gap"
)

// Damage is something wrong at one place of a log. Reading goes on behind it.
type Damage struct {
	// Offset is that of the line's first byte.
	Offset int64 `json:"offset"`
	// Line counts from 1, blank lines included; 0 where it is not known, as when reading from the end.
	Line   int    `json:"line,omitempty"`
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
	// Index is the line's index, or that of the record that the gap or disorder stands before; -1 if not known.
	Index int `json:"-"`
}

// Lost is damage where so much of the log was read from another agent's session. What would be a line that a crash tore is a record of the
// original that is lost there: the seqs around it tell nothing, since they were given out by the reading.
func (d Damage) Lost(theirs int64) Damage {
	if d.Kind == DamageTorn && d.Offset < theirs {
		d.Kind = DamageCorrupt
	}
	return d
}

// badLine is a line that is no record, waiting for the records around it to tell what it means.
type badLine struct {
	place
	unparsable, truncated, terminated bool
	reason                            string
}

// place says where a line is.
type place struct {
	offset int64
	line   int
	index  int
}

func (p place) damage(kind, reason string) Damage {
	return Damage{Offset: p.offset, Line: p.line, Kind: kind, Reason: reason, Index: p.index}
}

// judge decides what is wrong between two neighbouring records: prev is the seq of the earlier one (0 at the start of
// the log), bad the damaged lines between them, next the later record's seq and place, or seq 0 at the end.
//
// An unparsable line is torn if the seqs around it leave no room for a lost record. At the end of the log there is no
// later seq to tell, so the shape of the bytes decides: an unterminated line or the beginning of one is a crash's.
func judge(prev int64, bad []badLine, next int64, at place) []Damage {
	var found []Damage
	for _, b := range bad {
		torn := b.unparsable && next == prev+1
		if next == 0 {
			torn = !b.terminated || b.unparsable && b.truncated
		}
		kind := DamageCorrupt
		if torn {
			kind = DamageTorn
		}
		found = append(found, b.damage(kind, b.reason))
	}
	switch {
	case next == 0:
	case next <= prev:
		found = append(found, at.damage(DamageOrder, fmt.Sprintf("seq %d stands behind seq %d", next, prev)))
	case next > prev+1 && len(bad) == 0:
		found = append(found, at.damage(DamageGap, gapReason(prev+1, next-1)))
	}
	return found
}

func gapReason(first, last int64) string {
	if first == last {
		return fmt.Sprintf("seq %d is missing", first)
	}
	return fmt.Sprintf("seqs %d to %d are missing", first, last)
}
