package backend

import (
	"fmt"
	"testing"
	"time"

	"palimpsest/backend/session"
	"palimpsest/backend/sources/all"
)

// TestDaysAreThoseOfHere: who opens the program in another time zone is told of its days, whatever the index was made in.
func TestDaysAreThoseOfHere(t *testing.T) {
	home, cache, user := t.TempDir(), t.TempDir(), t.TempDir()
	writePi(t, user, piSession())
	id := ""
	for _, zone := range []struct {
		name  string
		hours int
		day   string
	}{{"here", 0, "2026-03-05"}, {"west", -8, "2026-03-04"}, {"here again", 0, "2026-03-05"}} {
		others, release := all.Open()
		b, err := Open(Options{
			Home: home, UserHome: user, Cache: cache, Sources: others, Release: release, Warn: func(err error) { t.Error(err) },
			Now: func() time.Time {
				return time.Date(2026, 3, 10, 12, 0, 0, 0, time.FixedZone(zone.name, zone.hours*3600))
			},
		})
		newsMust(t, err)
		if id == "" {
			id = hold(t, b, session.New{Name: "night"}, `{"recordType":"message","schemaVersion":1,"seq":1,"timestamp":"2026-03-05T02:00:00Z","role":"user","content":[{"type":"text","text":"late"}]}`+"\n")
		}
		scanned(t, b)
		for _, day := range []string{"2026-03-04", "2026-03-05"} {
			for _, text := range []string{"on:%s id:%s", "on:%s id:%s late"} {
				found := len(look(t, b, fmt.Sprintf(text, day, id)).Hits)
				if (found == 1) != (day == zone.day) {
					t.Errorf("%s: %s finds %d on %s", zone.name, text, found, day)
				}
			}
		}
		stats, err := b.Statistics(t.Context(), StatisticsOptions{Agent: ownAgent})
		newsMust(t, err)
		if len(stats.Days) != 1 || stats.Days[0].Day != zone.day {
			t.Errorf("%s: %+v", zone.name, stats.Days)
		}
		b.Close()
	}
}
