package query

import (
	"regexp"
	"strconv"
	"time"
)

// Span is a stretch of time, from From up to but without Until.
type Span struct{ From, Until time.Time }

// Span is the stretch of time that the value of after:, before: and on: names, as of a moment and in its time zone. 7d and 2w begin
// that long before the moment, on: with them is everything since then.
func (f Filter) Span(now time.Time) Span {
	read, _ := readSpan(f.Value)
	return read(now)
}

// Holds tells whether a stretch of time, from the first to the last of what happened, is one that the filter admits.
func (f Filter) Holds(first, last, now time.Time) bool {
	span := f.Span(now)
	switch f.Name { //nolint:exhaustive // only these have a time
	case After:
		return !last.Before(span.From)
	case Before:
		return last.Before(span.From)
	}
	return !last.Before(span.From) && first.Before(span.Until)
}

var (
	dateShape = regexp.MustCompile(`^([1-9]\d{3})(?:-(\d{2})(?:-(\d{2}))?)?$`)
	agoShape  = regexp.MustCompile(`^(\d{1,5})([dw])$`)
)

// readSpan reads a time in the shapes that people write; false if it has none of them.
func readSpan(value string) (of func(now time.Time) Span, ok bool) {
	switch value {
	case "today":
		return daysAgo(0), true
	case "yesterday":
		return daysAgo(1), true
	}
	if ago := agoShape.FindStringSubmatch(value); ago != nil {
		days, _ := strconv.Atoi(ago[1])
		if ago[2] == "w" {
			days *= 7
		}
		return func(now time.Time) Span { return Span{now.AddDate(0, 0, -days), now.AddDate(1, 0, 0)} }, true
	}
	return readDate(value)
}

func daysAgo(n int) func(now time.Time) Span {
	return func(now time.Time) Span {
		return Span{day(now, -n), day(now, 1-n)}
	}
}

// day is the beginning of a day, so many after that of a moment.
func day(now time.Time, days int) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()+days, 0, 0, 0, 0, now.Location())
}

// readDate reads a year, a month or a day.
func readDate(value string) (of func(now time.Time) Span, ok bool) {
	parts := dateShape.FindStringSubmatch(value)
	if parts == nil {
		return nil, false
	}
	year, _ := strconv.Atoi(parts[1])
	month, dayOf := 1, 1
	years, months, days := 1, 0, 0
	if parts[2] != "" {
		month, _ = strconv.Atoi(parts[2])
		years, months = 0, 1
	}
	if parts[3] != "" {
		dayOf, _ = strconv.Atoi(parts[3])
		months, days = 0, 1
	}
	if date := time.Date(year, time.Month(month), dayOf, 0, 0, 0, 0, time.UTC); int(date.Month()) != month || date.Day() != dayOf {
		return nil, false // the 30th of February
	}
	return func(now time.Time) Span {
		from := time.Date(year, time.Month(month), dayOf, 0, 0, 0, 0, now.Location())
		return Span{from, time.Date(year+years, time.Month(month+months), dayOf+days, 0, 0, 0, 0, now.Location())}
	}, true
}
