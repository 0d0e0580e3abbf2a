package pi

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// idOf is the id in the name of a session's file: what follows the time.
func idOf(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	name = strings.TrimSuffix(name, filepath.Ext(name))
	if _, id, ok := strings.Cut(name, "_"); ok {
		return id
	}
	return ""
}

// timeOf is when an entry was written.
func timeOf(rec jsonl.Object) time.Time {
	if at := jsonl.Time(rec.Get("timestamp")); !at.IsZero() {
		return at
	}
	return jsonl.Time(rec.Get("message.timestamp"))
}

// plain is the text of a content.
func plain(content gjson.Result) string {
	if content.Type == gjson.String {
		return content.Str
	}
	var parts []string
	content.ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == "text" {
			parts = append(parts, jsonl.Text(block.Get("text")))
		}
		return true
	})
	return strings.Join(parts, "\n")
}
