package crabtalk

import (
	"cmp"
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

// Excerpt writes a database with one session: its row, its messages and what is told of its runs, and the summaries that are called as it is.
func (s Source) Excerpt(ctx context.Context, env sources.Env, found sources.Found, to string) (string, error) {
	path := found.Files[0]
	if !inDatabase(path) {
		return "", nil
	}
	handle := cmp.Or(found.Row, found.ID)
	key := sqlite.Column{Table: keysName, Name: "key"}
	realm, _, _ := strings.Cut(keyPrefix(handle), "session/")
	rows := sqlite.Rows{
		ID: idOf(handle), Own: []sqlite.Column{{Table: sessionsName, Name: "handle"}}, Names: []string{"session_handle"},
		Begins: []sqlite.Beginning{{Column: key, With: keyPrefix(handle)}, {Column: key, With: realm + "memory/" + slug(idOf(handle)) + "-"}},
	}
	err := s.Databases.Excerpt(ctx, env.Temp, path, to, rows)
	if errors.Is(err, sqlite.ErrNoRows) {
		return "", sources.ErrGone
	}
	return path, err
}

// Lacks tells whether messages are gone, or what is told of runs.
func (Source) Lacks(ctx context.Context, now, before string) (bool, error) {
	keys := []sqlite.Key{{Table: keysName, Columns: []string{"col", "key"}}}
	for _, s := range streams {
		keys = append(keys, sqlite.Key{Table: s.table, Columns: []string{"session_handle", "idx"}})
	}
	return sqlite.Lacks(ctx, now, before, keys)
}
