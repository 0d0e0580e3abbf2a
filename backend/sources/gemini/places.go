package gemini

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Roots is the folder of all projects.
func (Source) Roots(env sources.Env) []string {
	return []string{filepath.Join(env.Or("GEMINI_CLI_HOME"), ".gemini", "tmp")}
}

func projectsFile(root string) string { return filepath.Join(filepath.Dir(root), "projects.json") }

// trustedFile has the directories that a person was asked about.
func trustedFile(env sources.Env, root string) string {
	if path := env.Getenv("GEMINI_CLI_TRUSTED_FOLDERS_PATH"); path != "" {
		return env.Named(path)
	}
	return filepath.Join(filepath.Dir(root), "trustedFolders.json")
}

// Elsewhere are the files that say which directories projects are in.
func (s Source) Elsewhere(env sources.Env) []string {
	root := s.Roots(env)[0]
	return []string{projectsFile(root), trustedFile(env, root)}
}

// projects are the directories that projects are known to be in, by the names that their folders have: a short name since 0.40, before
// the hash of the directory.
func projects(env sources.Env, root string) map[string]string {
	out := map[string]string{}
	add := func(dir, name string) {
		out[hashOf(dir)] = dir
		if name != "" {
			out[name] = dir
		}
	}
	data := small(env, projectsFile(root))
	gjson.Get(data, "projects").ForEach(func(dir, name gjson.Result) bool {
		add(dir.Str, name.Str)
		return true
	})
	gjson.Parse(small(env, trustedFile(env, root))).ForEach(func(dir, _ gjson.Result) bool {
		add(dir.Str, "")
		return true
	})
	add(env.Home, "")
	entries, _ := os.ReadDir(root) // what was read before an error counts; missing is usual
	for _, entry := range entries {
		if dir := strings.TrimSpace(small(env, filepath.Join(root, entry.Name(), ".project_root"))); dir != "" {
			add(dir, entry.Name())
		}
	}
	return out
}

// hashOf is what the folder of a project was called before it had a name.
func hashOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:])
}

// smallMost is how long a small file is at most.
const smallMost = 1 << 20

// small is the text of a small file, or nothing.
func small(env sources.Env, path string) string {
	return string(jsonl.Settings(env, path, smallMost))
}
