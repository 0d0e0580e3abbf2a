package openclaw

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// findTables are the sessions in one database that the agent's others have not.
func (s Source) findTables(ctx context.Context, env sources.Env, path, state string, seen map[string]bool, kin *kin) ([]sources.Found, error) {
	found, err := s.inTables(ctx, env, path, state, kin)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		agent := filepath.Base(filepath.Dir(filepath.Dir(path)))
		found = append(found, sources.Found{Agent: s.Agent(), ID: agent + "/" + filepath.Base(path), Files: []string{path}, Problem: err.Error()})
	}
	return slices.DeleteFunc(found, func(f sources.Found) bool {
		known := seen[f.ID]
		seen[f.ID] = true
		return known
	}), nil
}

func (s Source) inTables(ctx context.Context, env sources.Env, path, state string, kin *kin) ([]sources.Found, error) {
	db, release, err := s.Databases.Open(ctx, env.Temp, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = release() }() // the copy is removed once more with its directory
	has, err := sqlite.Columns(ctx, db.DB, "transcript_events")
	if err != nil {
		return nil, err
	}
	if !slices.Contains(has, "session_id") || !slices.Contains(has, "seq") {
		return nil, withoutEvents(ctx, db.DB)
	}
	windows, x, lost := s.windows(ctx, env, db.DB, path, state, kin)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var out []sources.Found
	for _, f := range windows {
		from, _, err := eventsOf(ctx, db, path, f.ID)
		if errors.Is(err, sources.ErrGone) {
			continue // nothing was said
		}
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil { // a damaged page of one session's hides none of the others
			f.Problem = err.Error()
			out = append(out, f)
			continue
		}
		p := peek{found: &f}
		model := f.Model
		err = from(ctx, nil, func(rec gjson.Result) error {
			if p.line([]byte(rec.Raw)); p.messages > 10 {
				return errEnough
			}
			return nil
		})
		switch {
		case err != nil && !errors.Is(err, errEnough) && !p.begun: // else reading it tells of its end
			f.Problem = err.Error()
		case x.entries[f.ID].linked && p.messages == 0:
			continue // the agent that answers has the transcript
		}
		if model != "" {
			f.Model = model
		}
		if slices.Contains(has, "created_at") {
			if at, _ := newest(ctx, db.DB, f.ID); at.After(f.UpdatedAt) {
				f.UpdatedAt = at
			}
		}
		out = append(out, f)
	}
	aside, err := s.setAside(ctx, env, db.DB, path)
	return append(out, aside...), cmp.Or(db.Cut, lost, err)
}

var errUnknown = errors.New("its tables are not those of any version that is known")

// withoutEvents is nil for another database, or one that is not filled yet: no session is noted in it.
func withoutEvents(ctx context.Context, db *sql.DB) error {
	has, err := sqlite.Columns(ctx, db, "session_windows")
	if err != nil || len(has) == 0 {
		return err
	}
	var some bool
	if err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM session_windows)").Scan(&some); err != nil {
		return fmt.Errorf("reading what sessions there are: %w", err)
	}
	if some {
		return errUnknown
	}
	return nil
}

// newest is when the last event of a session was written, which may be after the session was noted to have changed.
func newest(ctx context.Context, db *sql.DB, id string) (time.Time, error) {
	times, err := list[sqlite.Text](ctx, db, "SELECT created_at FROM transcript_events WHERE session_id = ? ORDER BY seq DESC LIMIT 1", id)
	if err != nil || len(times) == 0 {
		return time.Time{}, err
	}
	return jsonl.Time(gjson.Parse(string(times[0]))), nil
}

// windows are the sessions that a database knows, with what it knows of their conversations.
func (s Source) windows(ctx context.Context, env sources.Env, db *sql.DB, path, state string, kin *kin) ([]sources.Found, index, error) {
	lost := tooLong(ctx, env, db, path)
	x, err := readNodes(ctx, db)
	x.of(state, filepath.Dir(filepath.Dir(path)), kin)
	lost = cmp.Or(lost, err)
	version := ""
	if meta, err := table(ctx, db, "schema_meta", "app_version"); err == nil && len(meta) > 0 {
		version = meta[0][0]
	}
	rows, err := table(ctx, db, "session_windows", "session_id", "session_key", "previous_session_id", "reason", "created_at", "updated_at",
		"model", "display_name", "spawned_by", "parent_session_key")
	lost = cmp.Or(lost, err)
	if rows == nil || err != nil { // an earlier version, or more than can be read
		ids, err := sessionsOfEvents(ctx, db)
		rows, lost = append(rows, ids...), cmp.Or(lost, err)
	}
	var out []sources.Found
	known := map[string]bool{"": true}
	for _, w := range rows {
		if known[w[0]] {
			continue
		}
		known[w[0]] = true
		f := sources.Found{
			Agent: s.Agent(), ID: w[0], Files: []string{path}, Version: version, Title: jsonl.OneLine(w[7]), Model: w[6],
			CreatedAt: jsonl.Time(gjson.Parse(w[4])), UpdatedAt: jsonl.Time(gjson.Parse(w[5])),
		}
		cameFrom(&f, w[2], w[3], x.forks[w[1]])
		e := x.entries[w[0]]
		if e.key == "" {
			e.key = w[1]
		}
		for _, key := range []string{w[8], w[9]} {
			if e.parent == "" {
				e.parent = key
			}
		}
		e.add(&f, x)
		out = append(out, f)
	}
	return out, x, lost
}

// sessionsOfEvents are rows of windows with no more than the ids of the sessions.
func sessionsOfEvents(ctx context.Context, db *sql.DB) ([][]string, error) {
	var out [][]string
	seen := map[sqlite.Text]bool{}
	visit := func(scan func(...any) error) error {
		var id sqlite.Text
		if err := scan(&id); err != nil || seen[id] {
			return err
		}
		seen[id] = true
		out = append(out, append([]string{string(id)}, make([]string, 9)...))
		return nil
	}
	err := sqlite.Each(ctx, db, visit, "SELECT DISTINCT session_id FROM transcript_events")
	if err != nil && ctx.Err() == nil {
		_ = sqlite.FromEnds(ctx, db, visit, "SELECT session_id FROM transcript_events NOT INDEXED") // as above
	}
	return out, err
}

// nodes are the conversations, each with what OpenClaw notes of it in one column.
const (
	nodes       = "session_nodes"
	entryColumn = "entry_json"
)

// tooLong tells of conversations of which too much is noted for it to be read: their titles and parents may stand in that.
func tooLong(ctx context.Context, env sources.Env, db *sql.DB, path string) error {
	has, err := sqlite.Columns(ctx, db, nodes)
	if err != nil || !slices.Contains(has, entryColumn) {
		return err
	}
	sizes, err := list[int64](ctx, db, fmt.Sprintf("SELECT octet_length(%[1]s) FROM %[2]s WHERE octet_length(%[1]s) > %[3]d", entryColumn, nodes, columnMost))
	for _, size := range sizes {
		env.Unseen(jsonl.TooLarge(path+": "+entryColumn, size))
	}
	return err
}

// readNodes reads the conversations, in the form that the index in files has.
func readNodes(ctx context.Context, db *sql.DB) (index, error) {
	x := index{entries: map[string]entry{}, ids: map[string]string{}, forks: map[string]string{}}
	rows, err := table(ctx, db, nodes, "session_key", "current_session_id", entryColumn, "label", "display_name", "archived_at",
		"spawned_by", "parent_session_key", "fork_source_session_id")
	for _, n := range rows {
		e := parseEntry(gjson.Parse(n[2]))
		e.key = n[0]
		for _, title := range []string{n[3], n[4]} {
			if e.title == "" {
				e.title = jsonl.OneLine(title)
			}
		}
		for _, parent := range []string{n[6], n[7]} {
			if e.parent == "" {
				e.parent = parent
			}
		}
		if n[5] != "" {
			e.archived, e.away = true, jsonl.Time(gjson.Parse(n[5]))
		}
		x.entries[n[1]], x.ids[n[0]], x.forks[n[0]] = e, n[1], n[8]
	}
	return x, err
}
