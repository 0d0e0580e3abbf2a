package crabtalk

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/sqlite"
)

// tables is what a database has of sessions, under the keys that a store has it under. Some versions had a table for messages and one for
// what is told of runs, later ones all keys and values in one; both have one with a row for each session.
type tables struct {
	db *sql.DB
	at map[string]cell
	// rows are those of sessions.
	rows map[string]map[string]string
	// lost is why more may be there than was found.
	lost error
}

// cell is where a value stands.
type cell struct {
	table, column string
	row           int64
}

// The tables.
const (
	sessionsName = "sessions"
	keysName     = "kv"
)

// memories is the column of the memory.
const memories = 2

// streams are the tables that have one value of a session in each row, with the part of a store's key that they stand for.
var streams = []struct{ table, column, part string }{{"session_messages", "entry_json", "msg"}, {"session_events", "payload_json", "evt"}}

// aboutSession are the columns of a session's row, which stand for its metadata where that is nowhere else.
var aboutSession = []string{"handle", "agent", "created_by", "title", "created_at", "updated_at", "summary", archiveName, "root"}

// openTables finds what a database has of one session, or of all where handle is empty. is tells whether it is one for sessions.
func openTables(ctx context.Context, db *sql.DB, handle string) (t *tables, is bool, err error) {
	t = &tables{db: db, at: map[string]cell{}, rows: map[string]map[string]string{}}
	for _, s := range streams {
		has, err := sqlite.Columns(ctx, db, s.table)
		if err != nil {
			return nil, false, err
		}
		if slices.Contains(has, "session_handle") && slices.Contains(has, "idx") && slices.Contains(has, s.column) {
			is = true
			t.stream(ctx, s.table, s.column, s.part, handle)
		}
	}
	has, err := sqlite.Columns(ctx, db, keysName)
	if err != nil {
		return nil, false, err
	}
	if slices.Contains(has, "col") && slices.Contains(has, "key") && slices.Contains(has, "value") {
		is = true
		t.keys(ctx, handle)
	}
	if !is {
		return t, false, nil
	}
	t.sessions(ctx, handle)
	return t, true, ctx.Err()
}

// each visits the rows of a table, those that are found without its index where that is damaged.
func (t *tables) each(ctx context.Context, columns, table, where string, visit func(scan func(...any) error) error, args ...any) {
	query := "SELECT " + columns + " FROM " + table
	err := sqlite.Each(ctx, t.db, visit, query+where, args...)
	if err != nil && ctx.Err() == nil {
		_ = sqlite.FromEnds(ctx, t.db, visit, query+" NOT INDEXED"+where, args...) // it ends no later than the first did
		t.lost = err
	}
}

func (t *tables) stream(ctx context.Context, table, column, part, handle string) {
	where, args := "", []any(nil)
	if handle != "" {
		where, args = " WHERE session_handle = ?", []any{handle}
	}
	t.each(ctx, "CAST(session_handle AS TEXT), CAST(idx AS INTEGER), rowid", table, where, func(scan func(...any) error) error {
		var of sqlite.Text
		var idx sql.NullInt64
		c := cell{table: table, column: column}
		if err := scan(&of, &idx, &c.row); err != nil {
			return fmt.Errorf("reading %s: %w", table, err)
		}
		if !idx.Valid {
			idx.Int64 = math.MaxInt32
		}
		t.note(fmt.Sprintf("session/%s/%s/%012d", of, part, idx.Int64), c)
		return nil
	}, args...)
}

func (t *tables) keys(ctx context.Context, handle string) {
	t.each(ctx, "CAST(key AS TEXT), rowid", keysName, fmt.Sprintf(" WHERE col IN (%d, %d)", sessions, memories), func(scan func(...any) error) error {
		var key sqlite.Text
		c := cell{table: keysName, column: "value"}
		if err := scan(&key, &c.row); err != nil {
			return fmt.Errorf("reading %s: %w", keysName, err)
		}
		if of, _, is := ofSession(string(key)); is && (handle == "" || of == handle) || inMemory(string(key)) {
			t.note(string(key), c)
		}
		return nil
	})
}

// note keeps where a key's value is. One that is there twice, as no version writes it, gets a name of its own the second time.
func (t *tables) note(key string, c cell) {
	if before, twice := t.at[key]; twice && before != c {
		key += fmt.Sprintf(".%d", c.row)
	}
	t.at[key] = c
}

// sessions reads the rows of sessions.
func (t *tables) sessions(ctx context.Context, handle string) {
	has, err := sqlite.Columns(ctx, t.db, sessionsName)
	if err != nil || !slices.Contains(has, "handle") {
		return // what is told of a session may be there without it
	}
	const most = 1 << 20
	where, args := "", []any(nil)
	if handle != "" {
		where, args = " WHERE handle = ?", []any{idOf(handle)}
	}
	t.each(ctx, sqlite.Select(has, aboutSession, most), sessionsName, where, func(scan func(...any) error) error {
		texts := make([]sqlite.Text, len(aboutSession))
		into := make([]any, len(texts))
		for i := range texts {
			into[i] = &texts[i]
		}
		if err := scan(into...); err != nil {
			return fmt.Errorf("reading %s: %w", sessionsName, err)
		}
		row := map[string]string{}
		for i, name := range aboutSession {
			if texts[i] != "" {
				row[name] = string(texts[i])
			}
		}
		t.rows[row["handle"]] = row
		return nil
	}, args...)
}

// handles are the sessions, and the keys that each has, in order.
func (t *tables) handles() map[string][]string {
	out := map[string][]string{}
	keyed := map[string]string{}
	for key := range t.at {
		handle, _, is := ofSession(key)
		if !is {
			continue // of the memory
		}
		out[handle] = append(out[handle], key)
		keyed[idOf(handle)] = handle
	}
	for id, row := range t.rows {
		handle := keyed[id]
		if handle == "" {
			handle = id
		}
		prefix := keyPrefix(handle)
		if _, has := t.at[prefix+"meta"]; !has {
			out[handle] = append(out[handle], prefix+"meta")
		}
		if _, has := t.at[prefix+archiveName]; !has && row[archiveName] != "" {
			out[handle] = append(out[handle], prefix+archiveName)
		}
	}
	for _, keys := range out {
		slices.Sort(keys)
	}
	return out
}

// keyPrefix is what all keys of a session begin with.
func keyPrefix(handle string) string {
	if strings.Contains(handle, "/session/") {
		return handle + "/"
	}
	return "session/" + handle + "/"
}

// value is that of a key, at most so long.
func (t *tables) value(ctx context.Context, key string, most int64) ([]byte, error) {
	c, is := t.at[key]
	if !is {
		return t.fromRow(key)
	}
	var length sql.NullInt64
	var value []byte
	column := sqlite.Quote(c.column)
	err := t.db.QueryRowContext(ctx, fmt.Sprintf("SELECT octet_length(%s), CASE WHEN octet_length(%s) <= ? THEN CAST(%s AS BLOB) END FROM %s WHERE rowid = ?",
		column, column, column, c.table), most, c.row).Scan(&length, &value)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("%s can't be read: %w", key, err)
	case length.Int64 > most:
		return nil, &glean.LargeError{Name: key, Bytes: length.Int64}
	}
	return value, nil
}

// start is the beginning of a key's value.
func (t *tables) start(ctx context.Context, key string, most int64) ([]byte, error) {
	c, is := t.at[key]
	if !is {
		return t.fromRow(key)
	}
	var value []byte
	query := fmt.Sprintf("SELECT substr(CAST(%s AS BLOB), 1, ?) FROM %s WHERE rowid = ?", sqlite.Quote(c.column), c.table)
	if err := t.db.QueryRowContext(ctx, query, most, c.row).Scan(&value); err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", key, err)
	}
	return value, nil
}

// fromRow is what the row of a session has for a key.
func (t *tables) fromRow(key string) ([]byte, error) {
	handle, below, _ := ofSession(key)
	row, is := t.rows[idOf(handle)]
	if !is {
		return nil, errNotThere
	}
	if below == archiveName {
		return glean.Quote(row[archiveName]), nil
	}
	text, err := json.Marshal(row)
	if err != nil {
		return nil, fmt.Errorf("writing the row of a session as JSON: %w", err)
	}
	return text, nil
}

func (t *tables) keyed(ctx context.Context) keyed {
	k := keyed{
		value: func(key string, most int64) ([]byte, error) { return t.value(ctx, key, most) },
		start: func(key string, most int64) ([]byte, error) { return t.start(ctx, key, most) }, named: true,
	}
	if t.lost != nil {
		k.missing = "more of the session may be in the database: " + t.lost.Error()
	}
	return k
}
