package session

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Skip(err)
	}
	return loc
}

func TestOver(t *testing.T) {
	for name, test := range map[string]struct {
		limits           Limits
		place, last, now string
		want, notBefore  bool // the second: a second earlier it was not
	}{
		"the same morning":              {Limits{Hour: 4}, "Europe/Berlin", "2026-03-02 04:00:00", "2026-03-02 23:59:59", false, false},
		"before four":                   {Limits{Hour: 4}, "Europe/Berlin", "2026-03-01 04:00:00", "2026-03-02 03:59:59", false, false},
		"at four":                       {Limits{Hour: 4}, "Europe/Berlin", "2026-03-02 03:59:59", "2026-03-02 04:00:00", true, true},
		"a week later":                  {Limits{Hour: 4}, "Europe/Berlin", "2026-03-02 05:00:00", "2026-03-09 01:00:00", true, false},
		"midnight":                      {Limits{Hour: 0}, "Asia/Tokyo", "2026-03-01 23:59:59", "2026-03-02 00:00:00", true, true},
		"never":                         {Limits{Hour: -1}, "Asia/Tokyo", "2020-03-01 23:59:59", "2026-03-02 00:00:00", false, false},
		"the clock is put forward":      {Limits{Hour: 4}, "Europe/Berlin", "2026-03-29 01:30:00", "2026-03-29 04:00:00", true, true},
		"the hour is skipped, before":   {Limits{Hour: 2}, "Europe/Berlin", "2026-03-28 12:00:00", "2026-03-29 01:59:59", false, false},
		"the hour is skipped, after":    {Limits{Hour: 2}, "Europe/Berlin", "2026-03-29 01:59:59", "2026-03-29 03:00:00", true, true},
		"the hour was skipped":          {Limits{Hour: 2}, "Europe/Berlin", "2026-03-29 03:00:00", "2026-03-29 23:00:00", false, false},
		"midnight is skipped":           {Limits{Hour: 0}, "Africa/Cairo", "2026-04-23 23:59:59", "2026-04-24 01:00:00", true, true},
		"the clock is put back":         {Limits{Hour: 4}, "Europe/Berlin", "2026-10-25 03:59:59", "2026-10-25 04:00:00", true, true},
		"a day that was left out":       {Limits{Hour: 4}, "Pacific/Apia", "2011-12-29 12:00:00", "2011-12-31 03:00:00", false, false},
		"idle":                          {Limits{Hour: -1, Idle: time.Hour}, "UTC", "2026-03-02 08:00:00", "2026-03-02 09:00:00", true, true},
		"idle first":                    {Limits{Hour: 4, Idle: time.Hour}, "UTC", "2026-03-02 08:00:00", "2026-03-02 09:00:00", true, true},
		"the hour first":                {Limits{Hour: 4, Idle: time.Hour}, "UTC", "2026-03-02 03:30:00", "2026-03-02 04:00:00", true, true},
		"the clock was set back":        {Limits{Hour: 4, Idle: time.Hour}, "UTC", "2026-03-02 08:00:00", "2026-03-01 12:00:00", false, false},
		"the clock was set back a year": {Limits{Hour: 4, Idle: time.Hour}, "UTC", "2026-03-02 08:00:00", "2025-03-01 12:00:00", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			loc := zone(t, test.place)
			at := func(text string) time.Time {
				moment, err := time.ParseInLocation(time.DateTime, text, loc)
				if err != nil {
					t.Fatal(err)
				}
				return moment
			}
			s := &Summary{Metadata: Metadata{MessageCount: 1, LastMessageAt: at(test.last).UTC()}}
			if got := test.limits.Over(s, at(test.now)); got != test.want {
				t.Errorf("over is %v", got)
			}
			if test.notBefore && test.limits.Over(s, at(test.now).Add(-time.Second)) {
				t.Error("over a second too early")
			}
			if s.MessageCount = 0; test.limits.Over(s, at(test.now)) {
				t.Error("over without a message")
			}
		})
	}
}

// TestAnHourThatComesTwice is reached once.
func TestAnHourThatComesTwice(t *testing.T) {
	loc := zone(t, "Europe/Berlin")
	first := time.Date(2026, 10, 25, 0, 0, 0, 0, time.UTC) // 02:00 in summer time
	s := &Summary{Metadata: Metadata{MessageCount: 1, LastMessageAt: first.Add(-time.Minute)}}
	if l := (Limits{Hour: 2}); !l.Over(s, first.In(loc)) {
		t.Error("not over the first time")
	}
	s.LastMessageAt = first.Add(time.Minute)
	if l := (Limits{Hour: 2}); l.Over(s, first.Add(time.Hour).In(loc)) || l.Over(s, first.Add(23*time.Hour).In(loc)) {
		t.Error("over the second time")
	}
}

// TestOverAsClocksShow compares with a clock that is read minute by minute: over means that since the last message it has
// shown, on some day for the first time, the hour or a later one.
func TestOverAsClocksShow(t *testing.T) {
	zones := []string{
		"UTC", "Europe/Berlin", "America/New_York", "America/Havana", "Africa/Cairo", "Australia/Lord_Howe", "Asia/Kathmandu",
		"Pacific/Apia", "America/Asuncion", "Antarctica/Troll",
	}
	rapid.Check(t, func(r *rapid.T) {
		loc := zone(t, rapid.SampledFrom(zones).Draw(r, "zone"))
		hour := rapid.IntRange(0, 23).Draw(r, "hour")
		now := time.Unix(rapid.Int64Range(1_300_000_000, 1_800_000_000).Draw(r, "minute")/60*60, 0).In(loc)
		if start, end := now.ZoneBounds(); rapid.Bool().Draw(r, "near a change") && !start.IsZero() && !end.IsZero() {
			now = end.Add(time.Duration(rapid.IntRange(-1500, 1500).Draw(r, "from it")) * time.Minute)
		}
		last := now.Add(-time.Duration(rapid.IntRange(0, 3000).Draw(r, "ago")) * time.Minute)
		reached, want := map[string]bool{}, false
		for at := last.Add(-72 * time.Hour); !at.After(now); at = at.Add(time.Minute) {
			if day := at.Format(time.DateOnly); at.Hour() >= hour && !reached[day] {
				reached[day] = true
				want = want || at.After(last)
			}
		}
		s := &Summary{Metadata: Metadata{MessageCount: 1, LastMessageAt: last.UTC()}}
		if got := (Limits{Hour: hour}).Over(s, now); got != want {
			r.Fatalf("%v, then %v: over is %v", last, now, got)
		}
	})
}
