package session

import "time"

// Limits say when the session of a key is over, so that its next message begins a new one. What comes first counts.
type Limits struct {
	// Hour of the local day at which it is, from 0 to 23; negative for never.
	Hour int
	// Idle is how long after its last message; 0 for never.
	Idle time.Duration
}

// Over tells whether a session with this last message is over now; the place of now says which time is local. A session
// without messages is not, nor one whose last message is in the future: a clock was set back.
func (l Limits) Over(s *Summary, now time.Time) bool {
	if s.MessageCount == 0 {
		return false
	}
	last := s.LastMessageAt
	if l.Idle > 0 && now.Sub(last) >= l.Idle {
		return true
	}
	return l.Hour >= 0 && last.Before(lastReached(l.Hour, now))
}

// daysMost is how far back a day that has the hour is looked for: whole days have been left out of calendars.
const daysMost = 4

// lastReached is when the local clock last reached an hour, once for each day that has it: on a day that skips the hour, when
// the clock was put forward over it, and on one that has it twice the first time.
func lastReached(hour int, now time.Time) time.Time {
	year, month, day := now.Date()
	for back := range daysMost {
		wall := time.Date(year, month, day-back, hour, 0, 0, 0, time.UTC)
		at := reached(wall, now.Location())
		if !at.After(now) && at.YearDay() == wall.YearDay() {
			return at
		}
	}
	return time.Time{}
}

// reached is the first moment at which clocks show a time of day or a later one; wall holds it as if it were UTC.
func reached(wall time.Time, place *time.Location) time.Time {
	const before = 26 * time.Hour // no clock is that far from UTC
	for t := wall.Add(-before).In(place); ; {
		_, offset := t.Zone()
		start, end := t.ZoneBounds()
		at := wall.Add(-time.Duration(offset) * time.Second).In(place)
		if end.IsZero() || at.Before(end) {
			if at.Before(start) {
				return start
			}
			return at
		}
		t = end
	}
}
