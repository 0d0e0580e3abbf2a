package jsonl

import (
	"math"
	"strconv"
	"time"

	"github.com/tidwall/gjson"
)

// layouts are those of RFC 3339 and what has been written in its place; a time without a zone is taken as one of UTC.
var layouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999"}

// Time reads a time as agents write them: RFC 3339, or a number of seconds, or of thousandths, millionths or billionths of them, since
// 1970. It is the zero time for anything else.
func Time(value gjson.Result) time.Time {
	switch value.Type {
	case gjson.String:
		for _, layout := range layouts {
			if at, err := time.Parse(layout, value.Str); err == nil {
				return at
			}
		}
		const least = 1e8 // of 1973: a year or a day is none
		if n, err := strconv.ParseFloat(value.Str, 64); err == nil && n >= least {
			return sinceEpoch(n)
		}
	case gjson.Number:
		return sinceEpoch(value.Num)
	case gjson.Null, gjson.False, gjson.True, gjson.JSON:
	}
	return time.Time{}
}

func sinceEpoch(n float64) time.Time {
	// Seconds of the year 5138 would be thousandths of 1973, and so on.
	const seconds, thousandths, millionths, billionths = 1e11, 1e14, 1e17, 9e18
	switch {
	case !(n > 0) || n > billionths:
		return time.Time{}
	case n < seconds:
		return time.UnixMilli(int64(n * 1e3)).UTC()
	case n < thousandths:
		return time.UnixMilli(int64(n)).UTC()
	case n < millionths:
		return time.UnixMicro(int64(n)).UTC()
	}
	return time.UnixMicro(int64(math.Round(n / 1e3))).UTC() // what is finer was lost in the number
}
