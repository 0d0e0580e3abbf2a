package claudecode

import (
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// homes are the folders of Claude Code, most likely first. The variable may name several.
func homes(env sources.Env) []string {
	var all []string
	for dir := range strings.SplitSeq(env.Getenv("CLAUDE_CONFIG_DIR"), ",") {
		if dir = strings.TrimSpace(dir); dir == "" {
			continue
		}
		one := env
		one.Getenv = func(string) string { return dir }
		if dir = filepath.Clean(one.Or("")); filepath.IsAbs(dir) && !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	if len(all) > 0 {
		return all
	}
	return []string{filepath.Join(env.Home, ".claude"), filepath.Join(env.Home, ".config", "claude")}
}

// Roots are the folders of projects.
func (Source) Roots(env sources.Env) []string {
	all := homes(env)
	for i := range all {
		all[i] = filepath.Join(all[i], "projects")
	}
	return all
}

// RetentionDefault is after how many days Claude Code deletes a transcript if its settings say nothing else.
const RetentionDefault = 30

// Retention is after how many days without use Claude Code deletes a transcript, and whether its settings say so.
func (Source) Retention(env sources.Env) (days int, set bool) {
	for _, home := range homes(env) {
		file, err := jsonl.Open(filepath.Join(home, "settings.json"))
		if err != nil {
			continue
		}
		const most = 1 << 20
		text, err := io.ReadAll(io.LimitReader(file, most))
		_ = file.Close()
		if err != nil || !json.Valid(text) {
			continue
		}
		if period := gjson.GetBytes(text, "cleanupPeriodDays"); period.Type == gjson.Number && period.Num >= 0 {
			return int(min(period.Int(), 1<<30)), true
		}
	}
	return RetentionDefault, false
}
