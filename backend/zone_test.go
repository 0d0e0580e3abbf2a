package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/all"
	"palimpsest/backend/sources/pi"
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
		b.CountDays()
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

// TestNobodyReadsAgainForAZone: a program that asks for no days takes what another one has counted in another time zone.
func TestNobodyReadsAgainForAZone(t *testing.T) {
	home, cache, user := t.TempDir(), t.TempDir(), t.TempDir()
	writePi(t, user, piSession())
	own := ""
	open := func(hours int, days bool) *Backend {
		others, release := all.Open()
		b, err := Open(Options{
			Home: home, UserHome: user, Cache: cache, Sources: others, Release: release, Warn: func(err error) { t.Error(err) },
			Now: func() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.FixedZone("", hours*3600)) },
		})
		newsMust(t, err)
		t.Cleanup(b.Close)
		if own == "" {
			own = hold(t, b, session.New{Name: "night"}, `{"recordType":"message","schemaVersion":1,"seq":1,"timestamp":"2026-03-05T02:00:00Z","role":"user","content":[{"type":"text","text":"late"}]}`+"\n")
		}
		if days {
			b.CountDays()
		}
		newsMust(t, b.Scan(t.Context(), false, nil))
		if s, err := b.IndexStatus(t.Context()); err != nil || s.Waiting != 0 || s.Indexed != 2 {
			t.Errorf("%+v, %v", s, err)
		}
		return b
	}
	stamps := func(b *Backend) string {
		x, err := b.openIndex()
		newsMust(t, err)
		rows, err := x.Stamps(t.Context())
		newsMust(t, err)
		return rows[own].Stamp + " " + rows["pi:s1"].Stamp
	}
	here := stamps(open(0, false))
	west := open(-8, false)
	if got := stamps(west); got != here {
		t.Errorf("%s became %s", here, got)
	}
	if found := look(t, west, "late"); len(found.Hits) != 1 || len(found.Skipped) != 0 {
		t.Errorf("%+v", found)
	}
	if in, err := west.SearchIn(t.Context(), own, SearchOptions{Text: "late"}); err != nil || !in.Complete || len(in.Hits) != 1 {
		t.Errorf("%+v, %v", in, err)
	}
	writePi(t, user, piSession()+piMore) // what has changed is read, in this one's days
	newsMust(t, west.Scan(t.Context(), false, nil))
	if n := hits(t, west, "grown"); n != 1 {
		t.Errorf("found %d times", n)
	}
	if got := stamps(open(-8, true)); got == here {
		t.Errorf("%s is of another zone's days", got)
	}
}

// TestGoneElsewhere: that a session vanished is noted by a program in another time zone than the one that read it, too.
func TestGoneElsewhere(t *testing.T) {
	home, cache, user := t.TempDir(), t.TempDir(), t.TempDir()
	writePi(t, user, piSession())
	for _, hours := range []int{0, -8} {
		b, err := Open(Options{
			Home: home, UserHome: user, Cache: cache, Sources: []sources.Source{pi.Source{}}, Warn: func(err error) { t.Error(err) },
			Now: func() time.Time {
				return time.Date(2026, 3, 10, 12, 0, 0, 0, time.FixedZone(fmt.Sprint(hours), hours*3600))
			},
		})
		newsMust(t, err)
		newsMust(t, b.Scan(t.Context(), false, nil))
		if row, there, err := b.indexing.index.Session(t.Context(), "pi:s1"); err != nil || !there || row.Gone != (hours != 0) {
			t.Errorf("%+v, %t, %v", row, there, err)
		}
		b.Close()
		_ = os.Remove(filepath.Join(user, filepath.FromSlash(piPlace)))
	}
}
