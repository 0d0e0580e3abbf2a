package gemini

import (
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// lastIn is when a line says that it was written.
func lastIn(line []byte) (at time.Time) {
	rec := gjson.ParseBytes(line)
	for _, value := range []gjson.Result{rec.Get("$set.lastUpdated"), rec.Get("timestamp")} {
		if other := jsonl.Time(value); other.After(at) {
			at = other
		}
	}
	return at
}

// called takes what it was called last from lines at the end, if that is not known yet.
func (l *looker) called(line []byte, named bool) bool {
	if summary := jsonl.OneLine(jsonl.Text(gjson.GetBytes(line, "$set.summary"))); summary != "" && !named {
		l.found.Title, named = summary, true
	}
	return named
}
