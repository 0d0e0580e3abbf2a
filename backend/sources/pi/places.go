package pi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Roots are the folder of sessions, and those that a variable or pi's settings name instead.
func (Source) Roots(env sources.Env) []string {
	home := agentDir(env)
	roots := []string{filepath.Join(home, "sessions")}
	named := env.Getenv("PI_CODING_AGENT_SESSION_DIR")
	if named != "" {
		named = env.Named(named)
	}
	for _, dir := range []string{named, settingsDir(env, home)} {
		if dir = clean(env, dir); dir != "" && !slices.Contains(roots, dir) {
			roots = append(roots, dir)
		}
	}
	return roots
}

func agentDir(env sources.Env) string { return env.Or("PI_CODING_AGENT_DIR", ".pi", "agent") }

func settingsFile(home string) string { return filepath.Join(home, "settings.json") }

// Elsewhere are the settings, which may name another folder.
func (Source) Elsewhere(env sources.Env) []string { return []string{settingsFile(agentDir(env))} }

// settingsDir is the folder that the settings name.
func settingsDir(env sources.Env, home string) string {
	const most = 1 << 20
	text := jsonl.Settings(env, settingsFile(home), most)
	if !json.Valid(text) {
		return ""
	}
	return jsonl.Text(jsonl.Last(gjson.ParseBytes(text), "sessionDir"))
}

// clean is an absolute path, or nothing: what is relative in settings is so to whatever folder pi is started in.
func clean(env sources.Env, dir string) string {
	if dir == "~" || strings.HasPrefix(dir, "~/") || strings.HasPrefix(dir, "~"+string(os.PathSeparator)) {
		dir = filepath.Join(env.Home, dir[1:])
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Clean(dir)
}
