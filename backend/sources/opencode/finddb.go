package opencode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// findIn gives each session of one database. tree is where files of earlier versions are, nil if nowhere.
func (s Source) findIn(ctx context.Context, env sources.Env, tree *glean.Tree, path string, found func(sources.Found)) error {
	db, release, err := s.Databases.Open(ctx, env.Temp, path)
	if err != nil {
		return err
	}
	defer func() { _ = release() }() // the copy is removed once more with its directory
	t, err := openTables(ctx, db)
	if errors.Is(err, errBlank) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the database %s: %w", path, err)
	}
	var told []sources.Found
	known := map[string]bool{"": true}
	lost := sqlite.FromEnds(ctx, t.db.DB, func(scan func(...any) error) error {
		one, err := scanSession(scan)
		if err == nil && !known[one.id] {
			known[one.id] = true
			told = append(told, one.found(path))
		}
		return err
	}, "SELECT "+sqlite.Select(t.sessions, sessionColumns, sessionMost)+" FROM session")
	if lost != nil {
		told = append(told, t.orphans(ctx, known, path)...)
	}
	newest, _ := t.newest(ctx) // a damaged page of one session's hides none of the others; what was read counts
	writes, _ := t.writes(ctx)
	t.begin(ctx, told)
	for _, f := range told {
		if at := newest[f.ID]; at.Unix() > 0 && !at.Before(f.CreatedAt) { // a session may be renamed later, or put away
			f.UpdatedAt, f.Beside = at, "changed "+f.UpdatedAt.Format(time.RFC3339Nano)
		}
		f.Writes = writes[f.ID]
		if f.FirstMessage == "" {
			t.peekUnmoved(ctx, tree, &f)
		}
		if f.FirstMessage == "" && t.none(ctx, "message", f.ID) {
			t.peekLater(ctx, &f)
		}
		if t.unheard(ctx, tree, f.ID) {
			f.Problem = "The database has no table of messages."
		}
		found(f)
	}
	if err := errors.Join(ctx.Err(), cmp.Or(db.Cut, lost)); err != nil {
		return fmt.Errorf("reading the sessions in %s: %w", path, err)
	}
	return nil
}

// unheard tells that there is no place that is known in which messages of a session could be: how many there are is not known then.
func (t *tables) unheard(ctx context.Context, tree *glean.Tree, id string) bool {
	if !t.missing["message"] || !t.none(ctx, later, id) {
		return false
	}
	_, inFiles := t.unmoved(ctx, tree, id)
	return !inFiles
}

// peek reads the beginning of a session: what was asked first and, if that is all of it, which model answered last.
func (t *tables) peek(ctx context.Context, id string, f *sources.Found) error {
	column := func(name string) string { return sqlite.Select([]string{name}, []string{name}, peekMost) }
	if t.missing["message"] {
		return nil
	}
	type message struct{ id, data sqlite.Text }
	var messages []message
	rows, err := t.db.QueryContext(ctx, fmt.Sprintf("SELECT id, %s FROM message WHERE session_id = ? ORDER BY %s LIMIT %d", column("data"), t.order, peekMessages), id)
	if err != nil {
		return fmt.Errorf("its messages: %w", err)
	}
	for rows.Next() {
		var m message
		if err := rows.Scan(&m.id, &m.data); err != nil {
			break // rows.Err has it
		}
		messages = append(messages, m)
	}
	if err := rows.Close(); err != nil {
		return fmt.Errorf("its messages: %w", err)
	}
	var models models
	for _, m := range messages {
		info := gjson.Parse(string(m.data))
		models.take(info, f)
		if f.FirstMessage != "" || info.Get("role").Str != "user" || t.missing["part"] {
			continue
		}
		err := t.rows(ctx, func(r row) error { peekText(r.data, f); return nil },
			fmt.Sprintf("SELECT id, %s, 0 FROM part WHERE message_id = ? ORDER BY id LIMIT 20", column("data")), string(m.id))
		if err != nil {
			return err
		}
	}
	models.tell(f)
	return rows.Err()
}

// peekText takes the first text that a person typed.
func peekText(data []byte, f *sources.Found) {
	part := gjson.ParseBytes(data)
	if f.FirstMessage != "" || part.Get("type").Str != "text" || part.Get("synthetic").Bool() || part.Get("ignored").Bool() {
		return
	}
	text := strings.TrimSpace(part.Get("text").String())
	if inner, quoted := strings.CutPrefix(text, `"`); quoted { // as `opencode run` keeps what it was given
		if inner, quoted = strings.CutSuffix(inner, `"`); quoted {
			text = inner
		}
	}
	if jsonl.Typed(text) {
		f.FirstMessage = jsonl.OneLine(text)
	}
}
