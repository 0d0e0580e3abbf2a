package openclaw

import (
	"context"
	"errors"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sqlite"
)

var (
	_ sources.Excerpter = Source{}
	_ sources.Lacker    = Source{}
)

// setAsideTable has the transcripts that were deleted or begun anew; each is a session of its own.
const setAsideTable = "session_transcript_archives"

// Excerpt writes a database with one session: what is known of it, its conversation where that has no later one, and its events; or what
// was set aside under its name.
func (s Source) Excerpt(ctx context.Context, env sources.Env, found sources.Found, to string) (string, error) {
	if !inDatabase(&found) {
		return "", nil
	}
	column := func(table, name string) sqlite.Column { return sqlite.Column{Table: table, Name: name} }
	rows := sqlite.Rows{
		ID: rowOf(&found), Own: []sqlite.Column{column("session_windows", "session_id"), column("session_nodes", "current_session_id")},
		Names: []string{"session_id"}, Not: []string{setAsideTable},
	}
	if rest, is := strings.CutPrefix(found.Row, archiveRow); is {
		_, name, _ := strings.Cut(rest, "\n")
		rows = sqlite.Rows{ID: name, Own: []sqlite.Column{column(setAsideTable, "archive_name")}}
	}
	err := s.Databases.Excerpt(ctx, env.Temp, found.Files[0], to, rows)
	if errors.Is(err, sqlite.ErrNoRows) {
		return "", sources.ErrGone
	}
	return found.Files[0], err
}

// Lacks tells whether events are gone, or what was set aside.
func (Source) Lacks(ctx context.Context, now, before string) (bool, error) {
	return sqlite.Lacks(ctx, now, before, []sqlite.Key{
		{Table: "transcript_events", Columns: []string{"session_id", "seq"}},
		{Table: setAsideTable, Columns: []string{"session_id", "archive_name"}},
		{Table: "session_transcript_cold_archives", Columns: []string{"session_id", "archive_name"}},
	})
}

// Beside is the file that the events of a session were moved to because nobody asked for them for long.
func (s Source) Beside(ctx context.Context, env sources.Env, found sources.Found) []string {
	if !inDatabase(&found) || strings.HasPrefix(found.Row, archiveRow) {
		return nil
	}
	db, release, err := s.Databases.Open(ctx, env.Temp, found.Files[0])
	if err != nil {
		return nil // told of when the database is read
	}
	defer func() { _ = release() }() // the copy is removed once more with its directory
	file, err := coldFile(ctx, db.DB, found.Files[0], rowOf(&found))
	if err != nil || file == "" {
		return nil
	}
	return []string{file}
}
