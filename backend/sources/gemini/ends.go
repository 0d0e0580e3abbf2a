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

// answererIn is the model that answered last in a line, or in the one object of early versions.
func answererIn(line []byte) (model string) {
	rec := gjson.ParseBytes(line)
	answered := func(_, m gjson.Result) bool {
		if by := jsonl.Text(m.Get("model")); by != "" && m.Get("type").Str == "gemini" {
			model = by
		}
		return true
	}
	for _, list := range []gjson.Result{rec.Get("messages"), rec.Get("$set.messages")} {
		list.ForEach(answered)
	}
	answered(gjson.Result{}, rec)
	return model
}

// saidAtEnd is when the last message of a long object was written, and the model that answered last: its writer puts each member on a line, and
// those of messages are indented so far. Nothing of what does not stand near its end.
func saidAtEnd(file *jsonl.File) (at time.Time, model string) {
	tail := make([]byte, min(file.Size, jsonl.Edge))
	n, _ := file.ReadAt(tail, file.Size-int64(len(tail))) // what was read counts
	last := func(member string) gjson.Result {
		key := []byte("\n      \"" + member + "\": ")
		at := bytes.LastIndex(tail[:n], key)
		if at < 0 {
			return gjson.Result{}
		}
		return gjson.ParseBytes(tail[at+len(key) : n])
	}
	return jsonl.Time(last("timestamp")), jsonl.Text(last("model"))
}
