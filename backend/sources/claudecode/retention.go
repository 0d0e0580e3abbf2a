package claudecode

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// retentionDefault is after how many days Claude Code deletes a transcript if its settings say nothing else.
const retentionDefault = 30

// Retention is what the settings say: an administrator's before all others, else the shortest of the user's and of those of projects, since
// Claude Code cleans up the sessions of all projects wherever it is started. Each of its folders has settings of its own.
func (Source) Retention(env sources.Env) []sources.Retention {
	for _, path := range managed(env) {
		if days, ok := period(env, path); ok {
			return []sources.Retention{sources.After(days, sources.RetentionSettings, path)}
		}
	}
	var all []sources.Retention
	for i, home := range homes(env) {
		if _, err := os.Stat(filepath.Join(home, "projects")); err != nil && i > 0 {
			continue // nothing goes there
		}
		rule := retentionOf(env, home)
		rule.Under = home
		all = append(all, rule)
	}
	if !slices.ContainsFunc(all, func(r sources.Retention) bool { return *r.Days != *all[0].Days || r.From != all[0].From }) {
		all[0].Under = ""
		return all[:1]
	}
	return all
}

// retentionOf is the rule of one folder of Claude Code.
func retentionOf(env sources.Env, home string) sources.Retention {
	path := filepath.Join(home, "settings.json")
	rule := sources.After(retentionDefault, sources.RetentionDefault, path)
	if days, ok := period(env, path); ok {
		rule = sources.After(days, sources.RetentionSettings, path)
	}
	for _, dir := range projects(env, home) {
		for _, name := range []string{"settings.local.json", "settings.json"} { // the first goes before the second
			path := filepath.Join(dir, ".claude", name)
			if days, ok := period(env, path); ok {
				if days < *rule.Days {
					rule = sources.After(days, sources.RetentionSettings, path)
				}
				break
			}
		}
	}
	return rule
}

// managed are the settings of the machine's administrator, those that go before others first.
func managed(env sources.Env) []string {
	var dirs []string
	switch env.GOOS {
	case "darwin":
		dirs = []string{"/Library/Application Support/ClaudeCode"}
	case "windows":
		for _, name := range []string{"ProgramFiles", "ProgramData"} {
			if dir := env.Getenv(name); dir != "" {
				dirs = append(dirs, filepath.Join(dir, "ClaudeCode"))
			}
		}
	default:
		dirs = []string{"/etc/claude-code"}
	}
	var all []string
	for _, dir := range dirs {
		more, _ := filepath.Glob(filepath.Join(dir, "managed-settings.d", "*.json")) // the pattern is a good one
		slices.Reverse(more)                                                         // the last one wins
		all = append(append(all, more...), filepath.Join(dir, "managed-settings.json"))
	}
	return all
}

// projects are the folders that Claude Code has been started in, by what it keeps in the user's home or in its own folder.
func projects(env sources.Env, home string) []string {
	const most = 1000
	var all []string
	for _, path := range []string{filepath.Join(env.Home, ".claude.json"), filepath.Join(home, ".claude.json")} {
		jsonl.Last(gjson.ParseBytes(settings(env, path)), "projects").ForEach(func(dir, _ gjson.Result) bool {
			if filepath.IsAbs(dir.Str) && !slices.Contains(all, dir.Str) {
				all = append(all, dir.Str)
			}
			return len(all) < most
		})
	}
	return all
}

// period is the number of days that a settings file names. Claude Code takes nothing from one in which it is none: that is told of, since who
// wrote it there takes it for a rule.
func period(env sources.Env, path string) (days int, ok bool) {
	const most = 1 << 30
	named := jsonl.Last(gjson.ParseBytes(settings(env, path)), "cleanupPeriodDays")
	switch {
	case named.Type == gjson.Number && named.Num >= 0:
		return int(min(named.Num, most)), true
	case named.Type != gjson.Null:
		env.Unseen(fmt.Errorf("%s: cleanupPeriodDays is no number of days", path))
	}
	return 0, false
}

// settings is the text of a file of settings, nil if it is not there or no JSON.
func settings(env sources.Env, path string) []byte {
	const most = 32 << 20
	text := jsonl.Settings(env, path, most)
	if json.Valid(text) {
		return text
	}
	if len(text) > 0 {
		env.Unseen(fmt.Errorf("%s: no JSON", path))
	}
	return nil
}

// Beside are the files of a session's folder: output of tools, and what its subagents said. One in its own file has none.
func (Source) Beside(_ context.Context, env sources.Env, found sources.Found) []string {
	var all []string
	if found.Within != "" {
		return nil
	}
	folder := strings.TrimSuffix(found.Files[0], ".jsonl")
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		env.Unseen(err) // most have no folder
		if err == nil && entry.Type().IsRegular() {
			all = append(all, path)
		}
		return nil
	})
	return all
}
