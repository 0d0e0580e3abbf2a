package gemini

import (
	"bytes"
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

// spokeIn takes when something was said last from a line, or from the one object of early versions.
func (l *looker) spokeIn(line []byte) {
	rec := gjson.ParseBytes(line)
	for _, list := range []gjson.Result{rec.Get("messages"), rec.Get("$set.messages")} {
		list.ForEach(func(_, m gjson.Result) bool {
			l.speaks(m)
			return true
		})
	}
	l.speaks(rec)
}

// speaks takes when a message was said, if a person or the model did.
func (l *looker) speaks(m gjson.Result) {
	kind := m.Get("type").Str
	if kind != "user" && kind != "gemini" {
		return
	}
	if at := jsonl.Time(m.Get("timestamp")); at.After(l.spoke) && !isContext(plain(spoken(m))) {
		l.spoke = at
	}
}

// spokeAtEnd is when the last message of a long object was written: its writer puts each member on a line, and those of messages are indented so
// far. The zero time if that does not stand near its end.
func spokeAtEnd(file *jsonl.File) time.Time {
	const member = "\n      \"timestamp\": "
	tail := make([]byte, min(file.Size, jsonl.Edge))
	n, _ := file.ReadAt(tail, file.Size-int64(len(tail))) // what was read counts
	at := bytes.LastIndex(tail[:n], []byte(member))
	if at < 0 {
		return time.Time{}
	}
	return jsonl.Time(gjson.ParseBytes(tail[at+len(member) : n]))
}
