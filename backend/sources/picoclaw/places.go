package picoclaw

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Roots are the folders of sessions of each workspace: the usual one, those beside it, and those that the settings name.
func (Source) Roots(env sources.Env) []string {
	home := env.Or("PICOCLAW_HOME", ".picoclaw")
	roots := []string{filepath.Join(home, "workspace", "sessions")}
	add := func(workspace string) {
		if rest, is := strings.CutPrefix(workspace, "~/"); is {
			workspace = filepath.Join(env.Home, rest)
		}
		if dir := filepath.Join(workspace, "sessions"); filepath.IsAbs(workspace) && !slices.Contains(roots, dir) {
			roots = append(roots, dir)
		}
	}
	entries, _ := os.ReadDir(home) // what was read before an error counts; missing is usual
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), "workspace") && entry.IsDir() {
			add(filepath.Join(home, entry.Name()))
		}
	}
	settings := filepath.Join(home, "config.json")
	if named := env.Getenv("PICOCLAW_CONFIG"); named != "" {
		settings = named
	}
	config := gjson.Parse(small(settings))
	add(config.Get("agents.defaults.workspace").Str)
	for _, agent := range config.Get("agents.list").Array() {
		add(agent.Get("workspace").Str)
	}
	return roots
}

// small is the text of a small file, or nothing.
func small(path string) string {
	const most = 4 << 20
	return string(jsonl.Small(path, most))
}

// meta is what stands beside the messages of a session.
type meta struct {
	key, summary, title, created, updated string
	// skip is how many lines are hidden from the model.
	skip    int64
	aliases []string
}

func readMeta(path string) meta {
	m := gjson.Parse(small(strings.TrimSuffix(path, ".jsonl") + ".meta.json"))
	out := meta{
		key: jsonl.Text(m.Get("key")), summary: m.Get("summary").Str, skip: m.Get("skip").Int(),
		created: jsonl.Text(m.Get("created_at")), updated: jsonl.Text(m.Get("updated_at")),
	}
	for _, alias := range m.Get("aliases").Array() {
		name := jsonl.Text(alias)
		out.aliases = append(out.aliases, name)
		if !strings.HasPrefix(name, "agent:") || out.title == "" {
			out.title = name
		}
	}
	return out
}
