package crabtalk

import (
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// kind is what a record is: it does not say so itself.
type kind int

const (
	message kind = iota
	compaction
	event
	metadata
	other
)

// kindOf tells by the keys that a record has, in CrabTalk's own order.
func kindOf(rec gjson.Result, first bool) kind {
	m := unwrap(rec)
	switch {
	case !rec.IsObject():
		return other
	case (rec.Get("compact").Exists() || rec.Get("archive_name").Exists()) && !m.Get("role").Exists():
		return compaction
	case rec.Get("event").Exists() && !m.Get("role").Exists():
		return event
	case m.Get("role").Exists():
		return message
	case first || rec.Get("created_by").Exists() || rec.Get("uptime_secs").Exists():
		return metadata
	}
	return other
}

// unwrap is the message in a record, which since 0.0.20 is a part of it.
func unwrap(rec gjson.Result) gjson.Result {
	if inner := rec.Get("message"); inner.IsObject() {
		return inner
	}
	return rec
}

// plain is the text of a content.
func plain(content gjson.Result) string {
	if content.Type == gjson.String {
		return content.Str
	}
	var texts []string
	for _, block := range jsonl.Items(content) {
		if text := jsonl.Text(block.Get("text")); block.Get("type").Str == "text" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}
