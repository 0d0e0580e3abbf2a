package codex

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// names are those that users gave, by thread: in a file to which each new one is added, and in newer versions in a database as well.
func (s Source) names(ctx context.Context, env sources.Env) map[string]string {
	given := map[string]string{}
	if file, err := jsonl.Open(filepath.Join(home(env), "session_index.jsonl")); err == nil {
		defer file.Close()
		// What can be read of it is used.
		_ = sources.Lines(ctx, file, func(line sources.Line) error {
			if json.Valid(line.Text) {
				rec := gjson.ParseBytes(line.Text)
				given[jsonl.Text(rec.Get("id"))] = jsonl.OneLine(jsonl.Text(rec.Get("thread_name")))
			}
			return nil
		})
	}
	if path := stateDatabase(env); path != "" {
		env.Unseen(s.namesIn(ctx, env, path, given)) // sessions are there without names, too
	}
	return given
}

// namesIn takes the names in a database, which is older or newer than those that are known: columns come and go.
func (s Source) namesIn(ctx context.Context, env sources.Env, path string, given map[string]string) error {
	const most = 64 << 20
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() > most { // a copy would be made each time that Codex writes
		return jsonl.TooLarge(path, info.Size())
	}
	db, release, err := s.Databases.Open(ctx, env.Temp, path)
	if err != nil {
		return err
	}
	defer func() { _ = release() }() // the copy is removed once more with its directory
	has, err := sqlite.Columns(ctx, db.DB, "threads")
	if err != nil || !slices.Contains(has, "id") || !slices.Contains(has, "name") {
		return err
	}
	rows, err := db.QueryContext(ctx, "SELECT id, name FROM threads WHERE name IS NOT NULL AND name <> ''")
	if err != nil {
		return fmt.Errorf("reading the names of threads: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, name sql.NullString
		if err := rows.Scan(&id, &name); err != nil {
			return fmt.Errorf("reading the names of threads: %w", err)
		}
		if name := jsonl.OneLine(name.String); name != "" {
			given[id.String] = name
		}
	}
	return rows.Err()
}

var (
	stateName = regexp.MustCompile(`^state_(\d{1,6})\.sqlite$`)
	// sqliteHome is the setting that moves the databases, if it stands before any table.
	sqliteHome = regexp.MustCompile(`(?m)^[ \t]*(?:\[|sqlite_home[ \t]*=[ \t]*["']([^"'\n]+)["'])`)
)

// stateDatabase is the one of the newest schema; empty if there is none.
func stateDatabase(env sources.Env) string {
	const most = 1 << 20
	dir := home(env)
	if named := env.Getenv("CODEX_SQLITE_HOME"); named != "" {
		dir = env.Or("CODEX_SQLITE_HOME")
	} else if said := sqliteHome.FindSubmatch(jsonl.Settings(env, filepath.Join(dir, "config.toml"), most)); said != nil && len(said[1]) > 0 {
		moved := string(said[1])
		if moved[0] != '~' && !filepath.IsAbs(moved) { // as Codex takes it
			moved = filepath.Join(dir, moved)
		}
		dir = env.Named(moved)
	}
	entries, _ := os.ReadDir(dir) // what was read before an error counts; missing is usual
	path, newest := "", -1
	for _, entry := range entries {
		if parts := stateName.FindStringSubmatch(entry.Name()); parts != nil && entry.Type()&^fs.ModeSymlink == 0 {
			if n, _ := strconv.Atoi(parts[1]); n > newest {
				path, newest = filepath.Join(dir, entry.Name()), n
			}
		}
	}
	return path
}
