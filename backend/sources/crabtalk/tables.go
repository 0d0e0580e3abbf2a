package crabtalk

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"

	"palimpsest/backend/sources/sqlite"
)

// tables is what a database has of sessions, under the keys that a store has it under. Some versions had a table for messages and one for
// what is told of runs, later ones all keys and values in one; both have one with a row for each session.
type tables struct {
	db *sql.DB
	at index[cell]
	// rows are those of sessions.
	rows map[string]map[string]string
	// lost is why more may be there than was found.
	lost error
}

// cell is where a value stands: in which of the columns, and in which row.
type cell struct {
	of  column
	row int64
}

type column uint8

// The columns. Of a session's row there may be several values.
const (
	ofMessages column = iota
	ofEvents
	ofKeys
	ofSessions
)

// The tables.
const (
	sessionsName = "sessions"
	keysName     = "kv"
)

// memories is the column of the memory.
const memories = 2

// streams are the tables that have one value of a session in each row, with the part of a store's key that they stand for; the last has keys.
var streams = [...]struct{ table, column, part string }{
	ofMessages: {"session_messages", "entry_json", "msg"}, ofEvents: {"session_events", "payload_json", "evt"}, ofKeys: {keysName, "value", ""},
}

// aboutSession are the columns of a session's row, which stand for its metadata where that is nowhere else.
var aboutSession = []string{"handle", "agent", "created_by", "title", "created_at", "updated_at", "summary", archiveName, "root"}

// openTables finds what a database has of one session, or of all where handle is empty. is tells whether it is one for sessions.
func openTables(ctx context.Context, db *sql.DB, handle string) (t *tables, is bool, err error) {
	t = &tables{db: db, rows: map[string]map[string]string{}}
	for _, of := range []column{ofMessages, ofEvents} {
		s := streams[of]
		has, err := sqlite.Columns(ctx, db, s.table)
		if err != nil {
			return nil, false, err
		}
		if slices.Contains(has, "session_handle") && slices.Contains(has, "idx") && slices.Contains(has, s.column) {
			is = true
			t.stream(ctx, of, handle)
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
	t.fill()
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

func (t *tables) stream(ctx context.Context, from column, handle string) {
	table, part := streams[from].table, streams[from].part
	where, args := "", []any(nil)
	if handle != "" {
		where, args = " WHERE session_handle = ?", []any{handle}
	}
	t.each(ctx, "CAST(session_handle AS TEXT), CAST(idx AS INTEGER), rowid", table, where, func(scan func(...any) error) error {
		var of sqlite.Text
		var idx sql.NullInt64
		c := cell{of: from}
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

// keys finds the keys of sessions, or those of one, and of the memory. A key is bytes, as CrabTalk writes them, or a text.
func (t *tables) keys(ctx context.Context, handle string) {
	take := func(scan func(...any) error) error {
		var key sqlite.Text
		c := cell{of: ofKeys}
		if err := scan(&key, &c.row); err != nil {
			return fmt.Errorf("reading %s: %w", keysName, err)
		}
		if _, _, is := ofSession(string(key)); is || inMemory(string(key)) {
			t.note(string(key), c)
		}
		return nil
	}
	const columns = "CAST(key AS TEXT), rowid"
	if handle == "" {
		t.each(ctx, columns, keysName, fmt.Sprintf(" WHERE col IN (%d, %d)", sessions, memories), take)
		return
	}
	prefix := keyPrefix(handle)
	realm, _, _ := strings.Cut(prefix, "session/")
	for _, begin := range []string{prefix, realm + "memory/"} {
		behind := begin[:len(begin)-1] + string('/'+1)
		where := fmt.Sprintf(" WHERE col IN (%d, %d) AND key >= ? AND key < ?", sessions, memories)
		t.each(ctx, columns, keysName, where, take, []byte(begin), []byte(behind))
		t.each(ctx, columns, keysName, where, take, begin, behind)
	}
}

// note keeps where a key's value is. One that is there twice, as no version writes it, gets a name of its own the second time.
func (t *tables) note(key string, c cell) {
	if before, twice := t.at.get(key); twice && before != c {
		key += fmt.Sprintf(".%d", c.row)
	}
	t.at.put(key, c)
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

// fill puts the values that only the rows of sessions have under the keys that a store has them under.
func (t *tables) fill() {
	keyed := map[string]string{}
	for n := range t.at.keys.Len() {
		if handle, _, is := ofSession(t.at.key(int32(n))); is {
			keyed[idOf(handle)] = handle
		}
	}
	for id, row := range t.rows {
		handle := keyed[id]
		if handle == "" {
			handle = id
		}
		prefix := keyPrefix(handle)
		if _, has := t.at.get(prefix + "meta"); !has {
			t.at.put(prefix+"meta", cell{of: ofSessions})
		}
		if _, has := t.at.get(prefix + archiveName); !has && row[archiveName] != "" {
			t.at.put(prefix+archiveName, cell{of: ofSessions})
		}
	}
}

// keyPrefix is what all keys of a session begin with.
func keyPrefix(handle string) string {
	if strings.Contains(handle, "/session/") {
		return handle + "/"
	}
	return "session/" + handle + "/"
}
