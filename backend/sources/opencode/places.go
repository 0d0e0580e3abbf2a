package opencode

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/sqlite"
)

// dataDir is the same on each system.
func dataDir(env sources.Env) string {
	return filepath.Join(env.Or("XDG_DATA_HOME", ".local", "share"), "opencode")
}

// Roots are the directory of its data and, if it is elsewhere, the database that OPENCODE_DB names.
func (Source) Roots(env sources.Env) []string {
	roots := []string{dataDir(env)}
	if named := namedDatabase(env); named != "" && filepath.Dir(named) != roots[0] {
		roots = append(roots, named)
	}
	return roots
}

// namedDatabase is what OPENCODE_DB says, if it does.
func namedDatabase(env sources.Env) string {
	name := env.Getenv("OPENCODE_DB")
	switch {
	case name == "" || strings.HasPrefix(name, ":"):
		return ""
	case filepath.IsAbs(name):
		return filepath.Clean(name)
	}
	return filepath.Join(dataDir(env), name)
}

// Elsewhere are the database that OPENCODE_DB names and its log: its first session comes into that.
func (Source) Elsewhere(env sources.Env) []string {
	if named := namedDatabase(env); named != "" {
		return []string{named, named + "-wal"}
	}
	return nil
}

// databases are those there are, first the one that opencode opens: others may be copies of it. Their names differ by the channel that
// opencode was installed from.
func databases(env sources.Env, tree *glean.Tree) []string {
	var out []string
	if tree != nil {
		entries, err := tree.ReadDir(".")
		if err != nil {
			entries = nil // told of where the files are looked for
		}
		for _, entry := range entries {
			name := entry.Name()
			if of, is := sqlite.OfLog(name); is {
				name = of // which may be gone
			}
			if path := tree.Path(name); named(name) && !entry.IsDir() && !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	}
	own := cmp.Or(namedDatabase(env), filepath.Join(dataDir(env), "opencode.db"))
	if at := slices.Index(out, own); at >= 0 {
		out = slices.Delete(out, at, at+1)
	} else if namedDatabase(env) == "" {
		return out
	}
	return slices.Insert(out, 0, own)
}
