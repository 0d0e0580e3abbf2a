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
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// given is what a user did with a thread that its files don't have: the name, empty for none, and when it was archived, if it was and that is
// known.
type given struct {
	name string
	away time.Time
}

// given is that of each thread: names are in a file to which each new one is added, and in newer versions all is in a database as well.
func (s Source) given(ctx context.Context, env sources.Env) map[string]given {
	all := map[string]given{}
	if file, err := jsonl.Open(indexFile(env)); err == nil {
		defer file.Close()
		// What can be read of it is used.
		_ = sources.Lines(ctx, file, func(line sources.Line) error {
			if json.Valid(line.Text) {
				rec := gjson.ParseBytes(line.Text)
				all[jsonl.Text(rec.Get("id"))] = given{name: jsonl.OneLine(jsonl.Text(rec.Get("thread_name")))}
			}
			return nil
		})
	}
	if path := stateDatabase(env); path != "" {
		env.Unseen(s.givenIn(ctx, env, path, all)) // sessions are there without names, too
	}
	return all
}

func indexFile(env sources.Env) string { return filepath.Join(home(env), "session_index.jsonl") }

// Elsewhere are the files of names, and the settings that move the database.
func (Source) Elsewhere(env sources.Env) []string {
	all := []string{indexFile(env), filepath.Join(home(env), "config.toml")}
	if path := stateDatabase(env); path != "" {
		all = append(all, path, path+"-wal")
	}
	return all
}

// nameMost is how long a name may be in the database.
const nameMost = 1 << 20

// givenIn takes what is in a database, which is older or newer than those that are known: columns come and go. It is read where it is: it
// has what every thread was first asked, several times over, and a copy of all that would be made each time that Codex writes.
func (s Source) givenIn(ctx context.Context, env sources.Env, path string, all map[string]given) error {
	there := map[string]given{}
	err := s.Databases.InPlace(ctx, env.Temp, path, func(db *sql.DB) error {
		clear(there)
		has, err := sqlite.Columns(ctx, db, "threads")
		if err != nil || !slices.Contains(has, "id") {
			return err
		}
		where := []string{"false"}
		for _, column := range []string{"name", "archived_at"} {
			if slices.Contains(has, column) {
				where = append(where, "octet_length("+column+") > 0")
			}
		}
		columns := sqlite.Select(has, []string{"id", "name", "archived_at"}, nameMost)
		rows, err := db.QueryContext(ctx, "SELECT "+columns+" FROM threads WHERE "+strings.Join(where, " OR "))
		if err != nil {
			return fmt.Errorf("reading the names of threads: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			var id, name, away sqlite.Text
			if err := rows.Scan(&id, &name, &away); err != nil {
				return fmt.Errorf("reading the names of threads: %w", err)
			}
			there[string(id)] = given{jsonl.OneLine(string(name)), jsonl.Time(gjson.Parse(string(away)))}
		}
		return rows.Err()
	})
	for id, g := range there { // of one that is damaged what stands before that
		if g.name == "" {
			g.name = all[id].name
		}
		all[id] = g
	}
	return err
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
