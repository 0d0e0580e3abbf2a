package openclaw

import (
	"regexp"
	"strconv"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// retentionDefault is after how many days sessions go if the settings say nothing else.
const retentionDefault = 30

var period = regexp.MustCompile(`^(\d{1,6})(h|d|w)?$`)

// Retention is what the settings of the first installation say. CoderClaw, which is older, only warns unless it is told to act.
func (s Source) Retention(env sources.Env) []sources.Retention {
	path := s.settings(env, s.Roots(env)[0])
	const most = 1 << 20
	rule := jsonl.Last(gjson.ParseBytes(jsonl.Relaxed(jsonl.Settings(env, path, most))), "session", "maintenance") // without settings there are defaults
	mode := jsonl.Last(rule, "mode").Str
	switch {
	case mode == "warn":
		return []sources.Retention{{From: sources.RetentionOff, File: path}}
	case mode == "" && s.Fork:
		return []sources.Retention{{From: sources.RetentionDefault, File: path}}
	}
	after := jsonl.Last(rule, "pruneAfter")
	if parts := period.FindStringSubmatch(after.String()); parts != nil {
		const hours, week = 24, 7
		n, _ := strconv.Atoi(parts[1]) // six digits
		switch parts[2] {
		case "h":
			n /= hours
		case "w":
			n *= week
		}
		return []sources.Retention{sources.After(n, sources.RetentionSettings, path)}
	}
	return []sources.Retention{sources.After(retentionDefault, sources.RetentionDefault, path)}
}
