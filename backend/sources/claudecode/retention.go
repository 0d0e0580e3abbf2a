package claudecode

import (
	"encoding/json"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// retentionDefault is after how many days Claude Code deletes a transcript if its settings say nothing else.
const retentionDefault = 30

// Retention is what the user's settings say. Those of projects and of an administrator may say something else.
func (Source) Retention(env sources.Env) sources.Retention {
	all := homes(env)
	for _, home := range all {
		path := filepath.Join(home, "settings.json")
		file, err := jsonl.Open(path)
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
			return sources.After(int(min(period.Int(), 1<<30)), sources.RetentionSettings, path)
		}
	}
	return sources.After(retentionDefault, sources.RetentionDefault, filepath.Join(all[0], "settings.json"))
}

// Beside are the files of a session's folder: output of tools, and what its subagents said.
func (Source) Beside(_ sources.Env, found sources.Found) []string {
	const most = 20_000
	var all []string
	folder := strings.TrimSuffix(found.Files[0], ".jsonl")
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // most have no folder; of one that can't be read the rest is kept
		case len(all) == most:
			return fs.SkipAll
		case entry.Type().IsRegular():
			all = append(all, path)
		}
		return nil
	})
	return all
}
