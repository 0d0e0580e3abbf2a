package claudecode

import (
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
)

// homes are the folders of Claude Code, most likely first. The variable may name several.
func homes(env sources.Env) []string {
	var all []string
	for dir := range strings.SplitSeq(env.Getenv("CLAUDE_CONFIG_DIR"), ",") {
		if dir = strings.TrimSpace(dir); dir == "" {
			continue
		}
		if dir = env.Named(dir); !slices.Contains(all, dir) {
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
