package backend

import (
	"strings"
	"sync/atomic"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
)

// CountDays has the index count by the days of this program's time zone, as a program that stays has it. Others take what there is, in whatever
// zone it was counted: only statistics and on: ask for days, and two programs in different zones would have each other read all again.
func (b *Backend) CountDays() { b.zone.days.Store(true) }

// zone is the time zone of a program, for whose days the index may have to be read again.
type zone struct {
	days  atomic.Bool
	named atomic.Pointer[zoneName]
}

type zoneName struct {
	of   *time.Location
	name string
}

// name is [digest.Zone], which is asked for with each session.
func (z *zone) name(of *time.Location) string {
	if known := z.named.Load(); known != nil && known.of == of {
		return known.name
	}
	name := digest.Zone(of)
	z.named.Store(&zoneName{of, name})
	return name
}

// here is a stamp as it would be if days had been counted in this program's time zone, unless they are to be.
func (c *stock) here(stamp string) string {
	if c.b.zone.days.Load() {
		return stamp
	}
	const marks = 2 // the third part is none
	parts := strings.Split(stamp, noteEnd)
	for i := range min(len(parts), marks) {
		version, rest, _ := strings.Cut(parts[i], ".")
		if _, text, whole := strings.Cut(rest, "."); whole {
			parts[i] = version + "." + c.b.zone.name(c.b.now().Location()) + "." + text
		}
	}
	return strings.Join(parts, noteEnd)
}

func (c *stock) allHere(rows map[string]index.Session) map[string]index.Session {
	if c.b.zone.days.Load() {
		return rows
	}
	for id, row := range rows {
		row.Stamp = c.here(row.Stamp)
		rows[id] = row
	}
	return rows
}
