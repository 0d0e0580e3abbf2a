package expression

import (
	"context"

	"golang.org/x/text/unicode/norm"
)

// Units are the places in a text as JavaScript counts in it as it was given, in UTF-16: where one starts and where it ends, one after the
// other. What was composed of several characters is in a place with all of them.
func (e *Expression) Units(ctx context.Context, text string, most int) ([]int, error) {
	places, whole, err := e.Places(ctx, text, most)
	if err != nil {
		return nil, err
	}
	out := make([]int, 0, 2*len(places))
	both := sideBySide{given: text, composed: whole, same: text == whole}
	for _, at := range places {
		start, _ := both.at(at.Start)
		_, end := both.at(at.End)
		out = append(out, start, end)
	}
	return out, nil
}

// sideBySide goes through a text and what it was composed to, in stretches that were composed alone.
type sideBySide struct {
	given, composed string
	same            bool
	// givenAt and composedAt are the same place in both, in bytes, and units is that in UTF-16.
	givenAt, composedAt, units int
}

// at is where the stretch begins that holds a place of the composed text, and where it ends; a place between two is both. It goes
// forward only.
func (s *sideBySide) at(place int) (start, end int) {
	if s.same {
		s.units += unitsOf(s.given[s.givenAt:place])
		s.givenAt = place
		return s.units, s.units
	}
	for s.composedAt < place {
		stretch := s.given[s.givenAt:]
		stretch = stretch[:norm.NFC.NextBoundaryInString(stretch, true)]
		units, size := unitsOf(stretch), len(composed(stretch))
		if s.composedAt+size > place {
			return s.units, s.units + units
		}
		s.givenAt += len(stretch)
		s.composedAt += size
		s.units += units
	}
	return s.units, s.units
}

// unitsOf is how long a text is in UTF-16.
func unitsOf(text string) int {
	n := 0
	for _, letter := range text {
		if n++; letter > 0xFFFF {
			n++
		}
	}
	return n
}
