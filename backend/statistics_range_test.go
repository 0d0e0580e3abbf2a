package backend

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/backend/digest"
)

// workedOn are sessions with the days on which somebody was at work in each.
func workedOn(sessions ...[]string) map[string]digested {
	all := map[string]digested{}
	for n, days := range sessions {
		d := &digest.Digest{About: digest.About{Agent: "a"}}
		for _, day := range days {
			d.Days = append(d.Days, digest.Day{Day: day, Sum: digest.Sum{Messages: 1}})
		}
		all[fmt.Sprint("x:", n)] = digested{Digest: d}
	}
	return all
}

// TestFewDaysFarAwayStretchNoCourse: what lies far from all else is left out and told, as long as nobody asks for it.
func TestFewDaysFarAwayStretchNoCourse(t *testing.T) {
	summer := [][]string{{"2026-06-01", "2026-06-02"}, {"2026-07-01"}, {"2026-08-01"}}
	with := func(more ...[]string) map[string]digested { return workedOn(append(more, summer...)...) }
	outside := func(o *Outside) string {
		if o == nil {
			return ""
		}
		return fmt.Sprintf("%d %s %s", o.Sessions, o.First, o.Last)
	}
	for name, c := range map[string]struct {
		all                     map[string]digested
		opts                    StatisticsOptions
		from, to, span, outside string
	}{
		"nothing far away": {with(), StatisticsOptions{}, "2026-06-01", "2026-08-02", "day", ""},
		"one of 1970":      {with([]string{"1970-01-01"}), StatisticsOptions{}, "2026-06-01", "2026-08-02", "day", "1 1970-01-01 2026-08-01"},
		"one of 2099":      {with([]string{"2099-12-31"}), StatisticsOptions{}, "2026-06-01", "2026-08-02", "day", "1 2026-06-01 2099-12-31"},
		"both":             {with([]string{"1970-01-01", "2026-07-03"}, []string{"2099-12-31"}), StatisticsOptions{}, "2026-06-01", "2026-08-02", "day", "2 1970-01-01 2099-12-31"},
		"asked for":        {with([]string{"1970-01-01"}, []string{"2099-12-31"}), StatisticsOptions{From: "1970-01-01", To: "2099-12-31"}, "1970-01-01", "2099-12-31", "year", ""},
		"four years":       {with([]string{"2022-09-01"}), StatisticsOptions{}, "2022-09-01", "2026-08-02", "month", ""},
		"six years":        {with([]string{"2020-09-01"}), StatisticsOptions{}, "2026-06-01", "2026-08-02", "day", "1 2020-09-01 2026-08-01"},
		"as much then":     {workedOn([]string{"2016-06-01", "2016-06-02"}, summer[0]), StatisticsOptions{}, "2016-06-01", "2026-08-02", "year", ""},
		"nothing else":     {workedOn([]string{"1970-01-01"}), StatisticsOptions{}, "1970-01-01", "2026-08-02", "year", ""},
		"nothing":          {workedOn(), StatisticsOptions{}, "2026-08-02", "2026-08-02", "day", ""},
		"in the future":    {workedOn([]string{"2099-12-31"}), StatisticsOptions{}, "2026-08-02", "2026-08-02", "day", "1 2099-12-31 2099-12-31"},
	} {
		c.opts.Over = "agent"
		got := courseFor(c.all, c.opts)
		if got.From != c.from || got.To != c.to || got.Span != c.span || outside(got.Outside) != c.outside {
			t.Errorf("%s: from %s to %s by %s, outside %q", name, got.From, got.To, got.Span, outside(got.Outside))
		}
	}
}

// TestNoDayIsLost: each day with anything is in the course or told of as outside, and what is outside before it is little.
func TestNoDayIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sessions := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []string {
			far := rapid.SampledFrom([]int{0, 30, 30, 300, 3000, 20_000}).Draw(t, "far")
			at := time.Date(2026, 8, 2, 0, 0, 0, 0, time.UTC).AddDate(0, 0, -rapid.IntRange(-far/10, far).Draw(t, "days"))
			return []string{at.Format(time.DateOnly)}
		}), 0, 400).Draw(t, "sessions")
		c := courseFor(workedOn(sessions...), StatisticsOptions{Over: "agent"})
		within, before, after := 0, 0, 0
		for _, days := range sessions {
			switch {
			case days[0] < c.From:
				before++
			case days[0] > c.To:
				after++
			}
		}
		for _, s := range c.All {
			within += s.Messages
		}
		told := 0
		if c.Outside != nil {
			told = c.Outside.Sessions
		}
		if within+told != len(sessions) || told != before+after || before > max(1, (len(sessions)-after)/100) {
			t.Fatalf("%d of %d within, %d told: %d before, %d after", within, len(sessions), told, before, after)
		}
	})
}
