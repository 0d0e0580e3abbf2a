package glean

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// Time is the moment that a value names: a date as text, or a number of seconds or milliseconds since 1970; else the zero time.
func Time(value gjson.Result) time.Time {
	switch value.Type {
	case gjson.String:
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", time.DateTime} {
			if t, err := time.Parse(layout, value.Str); err == nil {
				return t
			}
		}
	case gjson.Number:
		return Millis(value.Num)
	case gjson.Null, gjson.True, gjson.False, gjson.JSON:
	}
	return time.Time{}
}

// Millis is the moment so many seconds or milliseconds after 1970; which, the size tells. None if the number can't be one.
func Millis(n float64) time.Time {
	const seconds = 1e11 // as milliseconds that is 1973, as seconds the year 5138
	if !(n > 0 && n < 1e15) {
		return time.Time{}
	}
	if n < seconds {
		n *= 1000
	}
	return time.UnixMicro(int64(n * 1000)).UTC()
}

// Quote is a text as JSON.
func Quote(text string) json.RawMessage {
	out, _ := json.Marshal(text) // a text can always be written
	return out
}

// Raw is a value as it was written, for a record of ours; nil if it is not there or no JSON.
func Raw(value gjson.Result) json.RawMessage {
	if !value.Exists() || !json.Valid([]byte(value.Raw)) {
		return nil
	}
	return json.RawMessage(value.Raw)
}

// FirstMessage is a text as lists show it, on one line and not long; empty if it is none that a person typed: what agents inject
// begins with a tag or a heading.
func FirstMessage(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "<") || strings.HasPrefix(text, "#") {
		return ""
	}
	return OneLine(text)
}

// OneLine is a text on one line, cut to what a list can show.
func OneLine(text string) string {
	const most = 200
	if len(text) > 8*most {
		text = text[:8*most]
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	count := 0
	for i := range text {
		if count++; count > most {
			return strings.TrimSpace(text[:i]) + "…"
		}
	}
	return text
}
