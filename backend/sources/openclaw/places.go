package openclaw

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// earlierState is what the variable with the directory of state was called before.
const earlierState = "CLAWDBOT_STATE_DIR"

// Roots are the directories of state: that of the environment, and all that profiles and earlier names have left.
func (s Source) Roots(env sources.Env) []string {
	prefix, names := "OPENCLAW_", []string{".openclaw", ".clawdbot", ".moldbot", ".moltbot"}
	if s.Fork {
		prefix, names = "CODERCLAW_", []string{".coderclaw"}
	}
	var roots []string
	add := func(dir string) {
		if !slices.Contains(roots, dir) {
			roots = append(roots, dir)
		}
	}
	if env.Getenv(prefix+"STATE_DIR") != "" {
		add(env.Or(prefix + "STATE_DIR"))
	} else if env.Getenv(earlierState) != "" && !s.Fork {
		add(env.Or(earlierState))
	}
	home := env.Or(prefix + "HOME")
	for i, name := range names {
		if profile := env.Getenv(prefix + "PROFILE"); profile != "" && i == 0 && profile != "default" {
			add(filepath.Join(home, name+"-"+profile))
		}
		add(filepath.Join(home, name))
		profiles, _ := filepath.Glob(filepath.Join(escape(home), name+"-*")) // the pattern is a good one
		for _, dir := range profiles {
			add(dir)
		}
	}
	return roots
}

// escape is a path in a pattern.
func escape(path string) string {
	if filepath.Separator == '\\' {
		return path // patterns have no escapes there, and names no stars
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// agentDir is where the sessions of one agent are.
type agentDir struct {
	// state is the directory of state that it stands in, sessions the folder of its files, databases those it may have.
	state, sessions string
	databases       []string
}

// agents are those below the roots.
func (s Source) agents(env sources.Env) []agentDir {
	var out []agentDir
	for _, root := range s.Roots(env) {
		states := []string{root}
		if s.Fork { // each installation has a folder of its own
			states = append(states, directories(env, root)...)
		}
		for _, state := range states {
			out = append(out, agentDir{state: state, sessions: filepath.Join(state, "sessions")})
			for _, agent := range directories(env, filepath.Join(state, "agents")) {
				out = append(out, agentDir{state, filepath.Join(agent, "sessions"), databasesIn(filepath.Join(agent, "agent"))})
			}
			out = append(out, s.configured(env, state)...)
		}
	}
	return out
}

// databasesIn are those in a folder, and those of which only the log is left.
func databasesIn(dir string) []string {
	all, _ := filepath.Glob(filepath.Join(escape(dir), "*.sqlite*")) // the pattern is a good one
	var out []string
	for _, path := range all {
		if of, is := sqlite.OfLog(path); is {
			path = of
		}
		if filepath.Ext(path) == ".sqlite" && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}

// settings are those of a directory of state. Such as stand elsewhere are those of the first one.
func (s Source) settings(env sources.Env, state string) string {
	if named := strings.ToUpper(s.Agent()) + "_CONFIG_PATH"; env.Getenv(named) != "" && state == s.Roots(env)[0] {
		return env.Or(named)
	}
	for _, name := range []string{s.Agent(), "openclaw", "clawdbot", "moldbot", "moltbot"} { // as it was called before
		path := filepath.Join(state, name+".json")
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return filepath.Join(state, s.Agent()+".json")
}

// Elsewhere are the settings, which may name another folder, where they stand in no directory of state.
func (s Source) Elsewhere(env sources.Env) []string {
	first := s.Roots(env)[0]
	if path := s.settings(env, first); filepath.Dir(path) != first {
		return []string{path}
	}
	return nil
}

// configured are the folders that the settings name, with the name of any agent in them.
func (s Source) configured(env sources.Env, state string) []agentDir {
	const most = 1 << 20
	path := s.settings(env, state)
	store := jsonl.Last(gjson.ParseBytes(jsonl.Relaxed(jsonl.Settings(env, path, most))), "session", "store").Str // without it, sessions in the usual places are found
	if rest, is := strings.CutPrefix(store, "~/"); is {
		store = filepath.Join(env.Home, rest)
	}
	if !filepath.IsAbs(store) {
		return nil
	}
	dirs, _ := filepath.Glob(filepath.Dir(strings.ReplaceAll(escape(store), "{agentId}", "*"))) // one that is no pattern finds nothing
	var out []agentDir
	for _, dir := range dirs {
		out = append(out, agentDir{state, dir, databasesIn(dir)})
	}
	return out
}

func directories(env sources.Env, dir string) []string {
	entries, err := os.ReadDir(dir) // what was read before an error counts; missing is usual
	env.Deny(err)
	var out []string
	for _, entry := range entries {
		if entry.IsDir() {
			out = append(out, filepath.Join(dir, entry.Name()))
		}
	}
	return out
}
