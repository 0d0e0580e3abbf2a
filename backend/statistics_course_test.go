package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// courseFixture are two sessions: one of agent a that went on for three days of a week and two of the next with two models, and one of b.
func courseFixture() map[string]digested {
	day := func(day, model string, messages int, tools map[string]digest.Tool) digest.Day {
		return digest.Day{Day: day, Model: model, Sum: digest.Sum{Messages: messages, Prompts: messages}, Tools: tools}
	}
	bash := map[string]digest.Tool{"bash": {Calls: 2, Errors: 1}}
	return map[string]digested{
		"a:1": {Digest: &digest.Digest{About: digest.About{Agent: "a", Cwd: "/w/one"}, Days: []digest.Day{
			day("2026-03-02", "m", 1, bash), day("2026-03-03", "m", 2, nil), day("2026-03-03", "n", 4, map[string]digest.Tool{"read": {Calls: 1}}),
			day("2026-03-08", "m", 8, nil), day("2026-03-09", "m", 16, nil),
		}}},
		"b:1": {Digest: &digest.Digest{About: digest.About{Agent: "b", Cwd: "/w/two"}, Days: []digest.Day{
			day("2026-03-04", "", 32, bash), day("2026-08-01", "m", 64, nil),
		}}},
	}
}

func courseFor(all map[string]digested, opts StatisticsOptions) *Course {
	t := newTally(opts, func(*digest.Digest) record.Kinds { return record.AllTokens })
	for id, d := range all {
		t.take(id, d.Digest, nil)
	}
	return t.courseOf("2026-08-02", all, nil)
}

// TestCourse: a session counts once in a stretch, whichever days of it that were; and the series are agents, folders, models or tools.
func TestCourse(t *testing.T) {
	said := func(of []Stretch) (out string) {
		for _, s := range of {
			out += fmt.Sprintf("%s:%d/%d/%d ", s.Start[5:], s.Sessions, s.Messages, s.Calls)
		}
		return out
	}
	const all = "03-02:2/47/5 03-09:1/16/0 07-27:1/64/0 "
	for over, want := range map[string]map[string]string{
		"agent":   {"a": "03-02:1/15/3 03-09:1/16/0 ", "b": "03-02:1/32/2 07-27:1/64/0 "},
		"project": {"/w/one": "03-02:1/15/3 03-09:1/16/0 ", "/w/two": "03-02:1/32/2 07-27:1/64/0 "},
		"model":   {"m": "03-02:1/11/2 03-09:1/16/0 07-27:1/64/0 ", "n": "03-02:1/4/1 ", "nil": "03-02:1/32/2 "},
		"tool":    {"bash": "03-02:2/0/4 ", "read": "03-02:1/0/1 "},
	} {
		c := courseFor(courseFixture(), StatisticsOptions{Over: over})
		if c.Span != "week" || c.From != "2026-03-02" || c.To != "2026-08-02" || said(c.All) != all {
			t.Errorf("%s: by %s from %s to %s, %s", over, c.Span, c.From, c.To, said(c.All))
		}
		got := map[string]string{}
		for _, s := range c.Series {
			name := "nil"
			if s.Name != nil {
				name = *s.Name
			}
			got[name] = said(s.Stretches)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", over, got, want)
		}
	}
	if c := courseFor(courseFixture(), StatisticsOptions{Over: "agent", From: "2026-03-03", To: "2026-03-08"}); c.Span != "day" ||
		said(c.All) != "03-03:1/6/1 03-04:1/32/2 03-08:1/8/0 " {
		t.Errorf("within six days: by %s, %s", c.Span, said(c.All))
	}
}

// TestCourseOfMany: of many years, agents and folders, what is told stays small; what is not told apart is one series.
func TestCourseOfMany(t *testing.T) {
	t.Parallel()
	all := map[string]digested{}
	first := time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := range 10_000 {
		all[fmt.Sprintf("x:%d", n)] = digested{Digest: &digest.Digest{
			About: digest.About{Agent: fmt.Sprint("agent", n%40), Cwd: fmt.Sprint("/w/", n)},
			Days:  []digest.Day{{Day: first.AddDate(0, 0, n).Format(time.DateOnly), Model: "m", Sum: digest.Sum{Messages: 1}}},
		}}
	}
	for over := range courseNames {
		c := courseFor(all, StatisticsOptions{Over: over})
		text, err := json.Marshal(c)
		newsMust(t, err)
		if len(text) > 200_000 || c.Span != "year" || len(c.Series) > courseSeries+1 {
			t.Errorf("over %s: %d bytes, by %s, %d series", over, len(text), c.Span, len(c.Series))
		}
		sum := 0
		for _, s := range c.Series {
			for _, stretch := range s.Stretches {
				sum += stretch.Messages
			}
		}
		if over != "tool" && sum != len(all) {
			t.Errorf("over %s: %d of %d messages", over, sum, len(all))
		}
	}
	for agents, want := range map[int]bool{courseSeries: false, courseSeries + 1: false, courseSeries + 2: true} {
		few := map[string]digested{}
		for n := range agents {
			few[fmt.Sprintf("x:%d", n)] = all[fmt.Sprintf("x:%d", n)]
		}
		c := courseFor(few, StatisticsOptions{Over: "agent"})
		if rest := c.Series[len(c.Series)-1].Name == nil; rest != want || len(c.Series) > courseSeries+1 {
			t.Errorf("%d agents: %d series, with a rest: %v", agents, len(c.Series), rest)
		}
	}
	days := []DayTotal{{Day: "2025-07-26"}, {Day: "2025-07-27"}, {Day: "2026-08-01"}, {Day: "2026-08-03"}}
	if left := lastYear(days, "2026-08-01"); len(left) != 2 || left[0].Day != "2025-07-27" {
		t.Errorf("of the last year: %v", left)
	}
}

func TestCourseOverNothingKnown(t *testing.T) {
	if err := (&StatisticsOptions{Over: "mood"}).check(); !errors.Is(err, session.ErrInput) {
		t.Errorf("over moods: %v", err)
	}
}
