package openclaw

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// archiveHead is how much of what was set aside a list reads. It has at least the first block, of which a part is nothing: that may have 128 KB.
const archiveHead = 132 << 10

// ofArchive is where one transcript stands that was set aside.
const ofArchive = setAsideTable + " WHERE session_id = ? AND archive_name = ?"

// setAside are the sessions that were deleted or begun anew, and kept.
func (s Source) setAside(ctx context.Context, env sources.Env, db *sql.DB, path string) ([]sources.Found, error) {
	rows, err := table(ctx, db, setAsideTable, "session_id", "archive_name", "created_at")
	var out []sources.Found
	for _, a := range rows {
		at := jsonl.Time(gjson.Parse(a[2]))
		f := sources.Found{
			Agent: s.Agent(), ID: a[1], Row: archiveRow + a[0] + "\n" + a[1], Files: []string{path}, Archived: true,
			UpdatedAt: at, ArchivedAt: at,
		}
		s.peekArchive(ctx, env, db, &f)
		out = append(out, f)
	}
	return out, err
}

// peekArchive puts in what a transcript tells that was set aside: when its last was said only all of it does, which is put off where it is long. It
// does not change, so that one look is enough, whatever becomes of the database. What can't be read is told of when the session is.
func (s Source) peekArchive(ctx context.Context, env sources.Env, db *sql.DB, f *sources.Found) {
	id, name, _ := strings.Cut(strings.TrimPrefix(f.Row, archiveRow), "\n")
	var size int64
	if db.QueryRowContext(ctx, "SELECT length(archive_blob) FROM "+ofArchive, id, name).Scan(&size) != nil {
		return
	}
	key, path, row := fmt.Sprintf("%s\n%s\n%s\n%d", s.Agent(), id, name, size), f.Files[0], f.Row
	told, known := env.Memory.Earlier(key, path)
	if !known {
		from, err := blob(ctx, db, fmt.Sprintf("SELECT substr(archive_blob, 1, %d), encoding FROM %s", archiveHead, ofArchive), id, name)
		if err != nil {
			return
		}
		var whole bool
		if told.Found, whole = peekEvents(ctx, from, jsonl.Edge); !whole || size > archiveHead {
			told.Found.Messages, told.Found.Compactions, told.Found.UpdatedAt = nil, nil, f.UpdatedAt
			env.Memory.Later(key, path, func(ctx context.Context) (sources.Told, bool) { return s.peekRow(ctx, env, path, row) })
		}
	}
	t := &told.Found
	f.Title, f.FirstMessage, f.Cwd, f.Model, f.CreatedAt, f.Parent, f.Relation = t.Title, t.FirstMessage, t.Cwd, t.Model, t.CreatedAt, t.Parent, t.Relation
	f.Messages, f.Compactions = t.Messages, t.Compactions
	if !t.UpdatedAt.IsZero() {
		f.UpdatedAt = t.UpdatedAt
	}
}

// peekRow is what all of a transcript in a database tells. One that is damaged tells no more another time.
func (s Source) peekRow(ctx context.Context, env sources.Env, path, row string) (told sources.Told, read bool) {
	db, release, err := s.Databases.Open(ctx, env.Temp, path)
	if err != nil {
		return told, false
	}
	defer func() { _ = release() }() // the copy is removed once more with its directory
	from, _, err := eventsOf(ctx, db, path, row)
	if err != nil {
		return told, false
	}
	var whole bool
	if told.Found, whole = peekEvents(ctx, from, math.MaxInt); !whole {
		told.Found.Messages, told.Found.Compactions = nil, nil
	}
	_, told.Found.ID, _ = strings.Cut(strings.TrimPrefix(row, archiveRow), "\n") // by which it is forgotten
	return told, ctx.Err() == nil
}

// peekEvents is what so many bytes of a transcript tell, and whether that is all of it.
func peekEvents(ctx context.Context, from events, most int) (f sources.Found, whole bool) {
	p := peek{found: &f}
	err := from(ctx, nil, func(rec gjson.Result) error {
		p.line([]byte(rec.Raw))
		if most -= len(rec.Raw); most <= 0 {
			return errEnough
		}
		return nil
	})
	f.Messages, f.Compactions, f.UpdatedAt = &p.told, &p.compactions, p.active
	if errors.Is(err, errEnough) {
		return f, false
	}
	return f, err == nil && p.begun
}
