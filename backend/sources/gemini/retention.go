package gemini

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// retentionDefault is after how many days Gemini CLI deletes a conversation if its settings say nothing else.
const retentionDefault = 30

// maxCountMost is more conversations than anybody has: so many are no limit.
const maxCountMost = 1 << 31

var period = regexp.MustCompile(`^(\d{1,6})([hdwm])$`)

// Retention is what the user's settings say.
func (Source) Retention(env sources.Env) []sources.Retention {
	path := filepath.Join(env.Or("GEMINI_CLI_HOME"), ".gemini", "settings.json")
	rule := jsonl.Last(gjson.ParseBytes(jsonl.Relaxed(jsonl.Settings(env, path, smallMost))), "general", "sessionRetention")
	if enabled := jsonl.Last(rule, "enabled"); enabled.Type == gjson.False {
		return []sources.Retention{{From: sources.RetentionOff, File: path}}
	}
	out := sources.After(retentionDefault, sources.RetentionDefault, path)
	if parts := period.FindStringSubmatch(jsonl.Last(rule, "maxAge").Str); parts != nil {
		n, _ := strconv.Atoi(parts[1]) // six digits
		out = sources.After(days(n, parts[2]), sources.RetentionSettings, path)
	}
	if most := jsonl.Last(rule, "maxCount"); most.Type == gjson.Number && most.Num >= 1 && most.Num <= maxCountMost {
		out.Most, out.From = int(most.Num), sources.RetentionSettings
	}
	return []sources.Retention{out}
}

// days is a period in whole days, rounded down: rather too early than too late.
func days(n int, unit string) int {
	const hours, week, month = 24, 7, 30
	switch unit {
	case "h":
		return n / hours
	case "w":
		return n * week
	case "m":
		return n * month
	}
	return n
}

// Beside are the output of tools that has files of its own, and what says which directory the conversation is of.
func (Source) Beside(_ context.Context, env sources.Env, found sources.Found) []string {
	project, id := projectOf(found.Files[0]), cmp.Or(found.Row, found.ID)
	all := []string{filepath.Join(project, ".project_root")}
	outputs := filepath.Join(project, "tool-outputs")
	_ = filepath.WalkDir(outputs, func(path string, entry fs.DirEntry, err error) error {
		if path == outputs || strings.Contains(path, id) {
			env.Unseen(err) // most have no folder
		}
		if err == nil && entry.Type().IsRegular() && strings.Contains(path, id) {
			all = append(all, path)
		}
		return nil
	})
	return all
}
