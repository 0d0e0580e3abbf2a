package picoclaw

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Roots are the folders of sessions of each workspace: the usual one, those beside it, those that the settings or a variable name, and
// those of agents for which they name none.
func (Source) Roots(env sources.Env) []string {
	home := env.Or("PICOCLAW_HOME", ".picoclaw")
	usual := filepath.Join(home, "workspace")
	roots := []string{filepath.Join(usual, "sessions")}
	add := func(workspace string) {
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
	config := gjson.ParseBytes(jsonl.Settings(env, settings(env), smallMost))
	named := func(workspace gjson.Result) string {
		path := strings.TrimSpace(workspace.Str)
		if strings.HasPrefix(path, "~") {
			return env.Named(path)
		}
		return path
	}
	shared := cmp.Or(named(config.Get("agents.defaults.workspace")), usual)
	add(shared)
	if moved := env.Getenv("PICOCLAW_AGENTS_DEFAULTS_WORKSPACE"); moved != "" {
		shared = env.Named(moved)
		add(shared)
	}
	for _, agent := range config.Get("agents.list").Array() {
		own := filepath.Join(filepath.Dir(shared), "workspace-"+strings.ToLower(agent.Get("id").Str))
		add(cmp.Or(named(agent.Get("workspace")), own))
	}
	return roots
}

func settings(env sources.Env) string {
	if env.Getenv("PICOCLAW_CONFIG") != "" {
		return env.Or("PICOCLAW_CONFIG")
	}
	return filepath.Join(env.Or("PICOCLAW_HOME", ".picoclaw"), "config.json")
}

// Elsewhere are the settings, which name workspaces.
func (Source) Elsewhere(env sources.Env) []string { return []string{settings(env)} }

// smallMost is how long the settings may be, and what stands beside the messages of a session.
const smallMost = 4 << 20

// meta is what stands beside the messages of a session.
type meta struct {
	key, summary, title, created, updated string
	// skip is how many lines are hidden from the model.
	skip    int64
	aliases []string
	// unread is why it can't be read: what the model had then is not known.
	unread error `keep:"-"`
}

func readMeta(path string) meta {
	text, err := jsonl.ReadSmall(strings.TrimSuffix(path, ".jsonl")+".meta.json", smallMost)
	if err == nil && !json.Valid(text) {
		err = errors.New("it is no JSON: half written, or damaged")
	}
	m := gjson.ParseBytes(text)
	out := meta{
		unread: err,
		key:    jsonl.Text(m.Get("key")), summary: m.Get("summary").Str, skip: m.Get("skip").Int(),
		created: jsonl.Text(m.Get("created_at")), updated: jsonl.Text(m.Get("updated_at")),
	}
	for _, alias := range m.Get("aliases").Array() {
		name := jsonl.Text(alias)
		out.aliases = append(out.aliases, name)
		if !strings.HasPrefix(name, "agent:") || out.title == "" {
			out.title = name
		}
	}
	if out.title == "" && !strings.HasPrefix(out.key, "sk_") { // before it was a sum, the key said what later an alias does
		out.title = out.key
	}
	return out
}

// says is another text whenever what the model sees of the messages is: nothing tells of that in their own file. Empty where it sees all.
func (m meta) says() string {
	if m.summary == "" && m.skip <= 0 && !m.lost() {
		return ""
	}
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, m.summary) // it never fails
	return fmt.Sprintf("summary %x, %d hidden, lost %t", sum.Sum64(), m.skip, m.lost())
}
