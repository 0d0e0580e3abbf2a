package opencode

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sqlite"
)

// tables are those of a database that hold conversations. Of all else in it only the numbers of writes are asked
// for.
type tables struct {
	db       sqlite.Database
	id       string // of the session that is read
	sessions []string
	order    string // of messages
	// missing are the tables that a version does not have any more, or not yet: its sessions are there all the same.
	missing map[string]bool
	// dated tells that messages and parts say when they were written last.
	dated bool
	// named tells that parts say which session they are of.
	named bool
	// messagesAt and partsAt are where what no index leads to stands, and partsLost why there may be more parts.
	messagesAt map[string]place
	partsAt    places
	partsLost  error
	// asked is what the questions about messages are asked of: the same few again and again.
	asked sqlite.Asked
}

// errForeign is returned for a database that is none of opencode's, or of a version that nobody knows.
var errForeign = errors.New("its tables are not those of any version of opencode that is known")

// errBlank is returned for a database without tables: opencode has begun to make it, or somebody has emptied it. No session is in it.
var errBlank = fmt.Errorf("there are no tables in it: %w", sources.ErrGone)

// sessionColumns are what is read of a session for a list; which of them there are depends on the version.
var sessionColumns = []string{
	"id", "parent_id", "title", "version", "directory", "model", "time_created", "time_updated", "time_archived",
}

func openTables(ctx context.Context, db sqlite.Database) (*tables, error) {
	t := &tables{db: db, asked: db, missing: map[string]bool{}, dated: true}
	var filled bool
	if err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_schema)").Scan(&filled); err != nil {
		return nil, fmt.Errorf("reading what tables there are: %w", err)
	}
	if !filled {
		return nil, errBlank
	}
	for _, table := range []string{"session", "message", "part"} {
		has, err := sqlite.Columns(ctx, db.DB, table)
		if err != nil {
			return nil, err
		}
		t.missing[table] = len(has) == 0
		t.named = t.named || table == "part" && slices.Contains(has, "session_id")
		t.dated = t.dated && (table == "session" || slices.Contains(has, "time_updated"))
		if t.missing[table] && table != "session" {
			continue
		}
		switch table {
		case "session":
			t.sessions = has
		case "message": // opencode's own order; before there was a column of times, ids alone
			t.order = "id"
			if slices.Contains(has, "time_created") {
				t.order = "time_created, id"
			}
		}
		for _, column := range map[string][]string{
			"session": {"id"}, "message": {"id", "session_id", "data"}, "part": {"id", "message_id", "data"},
		}[table] {
			if !slices.Contains(has, column) {
				return nil, errForeign
			}
		}
	}
	return t, nil
}

// sessionMost is how long a column of a session may be. What it goes back to may have all that is taken back with it.
const (
	sessionMost = 1 << 20
	revertMost  = sources.LineMost
)

// session is that of an id, with what of it is too long to be read.
func (t *tables) session(ctx context.Context, id string) (session, error) {
	columns := append(slices.Clone(sessionColumns), "revert")
	row := t.db.QueryRowContext(ctx, "SELECT "+sqlite.Select(t.sessions, sessionColumns, sessionMost)+", "+sqlite.Select(t.sessions, columns[len(sessionColumns):], revertMost)+
		", "+sqlite.Lengths(t.sessions, columns)+" FROM session WHERE id = ?", id)
	var revert sqlite.Text
	lengths := make([]int64, len(columns))
	more := []any{&revert}
	for i := range lengths {
		more = append(more, &lengths[i])
	}
	s, err := scanSession(row.Scan, more...)
	if errors.Is(err, sql.ErrNoRows) {
		return s, sources.ErrGone
	}
	s.revert = gjson.Parse(string(revert))
	for i, length := range lengths {
		if length > sessionMost && (columns[i] != "revert" || length > revertMost) {
			s.overlong = append(s.overlong, overlong{columns[i], length})
		}
	}
	return s, err
}

func scanSession(scan func(...any) error, more ...any) (session, error) {
	var c [9]sqlite.Text
	into := make([]any, len(c), len(c)+len(more))
	for i := range c {
		into[i] = &c[i]
	}
	into = append(into, more...)
	if err := scan(into...); err != nil {
		return session{}, fmt.Errorf("reading a session: %w", err)
	}
	s := session{id: string(c[0]), parent: string(c[1]), title: string(c[2]), version: string(c[3]), directory: string(c[4])}
	model := gjson.Parse(string(c[5]))
	if s.model = model.Get("id").Str; s.model == "" {
		s.model = model.Get("modelID").Str
	}
	s.created, s.updated = gjson.Parse(string(c[6])), gjson.Parse(string(c[7]))
	s.archived = gjson.Parse(string(c[8]))
	return s, nil
}

// messages visits those of the session in order.
func (t *tables) messages(ctx context.Context, visit func(row) error) error {
	if t.missing["message"] {
		return nil
	}
	return t.whole(ctx, visit, func(visited *many.IDs) error { return t.messagesInPlace(ctx, visited, visit) },
		"SELECT id, "+data+" FROM message WHERE session_id = ? ORDER BY "+t.order, t.id)
}

// message is one of them again.
func (t *tables) message(ctx context.Context, id string) (row, error) {
	var found row
	if t.missing["message"] {
		return found, nil
	}
	take := func(r row) error { found = r; return nil }
	err := t.rows(ctx, take, "SELECT id, "+data+" FROM message WHERE id = ?", id)
	if err != nil && ctx.Err() == nil {
		if lost := t.messageInPlace(ctx, id, take); found.id != "" {
			err = lost
		}
	}
	return found, err
}

// parts visits those of a message in order.
func (t *tables) parts(ctx context.Context, message string, visit func(row) error) error {
	if t.missing["part"] {
		return nil
	}
	return t.whole(ctx, visit, func(visited *many.IDs) error { return t.partsInPlace(ctx, message, visited, visit) },
		"SELECT id, "+data+" FROM part WHERE message_id = ? ORDER BY id", message)
}

// whole visits rows and, where one can't be read, has the rest visited in another way.
func (t *tables) whole(ctx context.Context, visit func(row) error, rest func(visited *many.IDs) error, query string, args ...any) error {
	visited, stopped := &many.IDs{}, false
	err := t.rows(ctx, func(r row) error {
		visited.Put(r.id, 0)
		err := visit(r)
		stopped = err != nil
		return err
	}, query, args...)
	if err == nil || stopped || ctx.Err() != nil {
		return err
	}
	return rest(visited)
}

// data is the column of JSON, NULL if it is too long, and its length.
var data = fmt.Sprintf("CASE WHEN octet_length(data) <= %d THEN CAST(data AS BLOB) END, octet_length(data)", sources.LineMost)

func (t *tables) rows(ctx context.Context, visit func(row) error, query string, args ...any) error {
	rows, err := t.asked.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("reading messages: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var r row
		var id sqlite.Text
		var text sql.RawBytes
		var length sql.NullInt64
		if err := rows.Scan(&id, &text, &length); err != nil {
			return fmt.Errorf("reading messages: %w", err)
		}
		r.id, r.data, r.bytes = string(id), text, length.Int64
		if err := visit(r); err != nil {
			return err
		}
	}
	return rows.Err()
}
