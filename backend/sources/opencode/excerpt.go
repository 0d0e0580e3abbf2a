package opencode

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/sqlite"
)

var (
	_ sources.Excerpter = Source{}
	_ sources.Lacker    = Source{}
)

// Excerpt writes a database with one session: its own row, those that say they are its, the project and the workspace that it names, and
// in versions whose parts name only their message those of its messages.
func (s Source) Excerpt(ctx context.Context, env sources.Env, found sources.Found, to string) (string, error) {
	if !inDatabase(&found) {
		return "", nil
	}
	column := func(table, name string) sqlite.Column { return sqlite.Column{Table: table, Name: name} }
	err := s.Databases.Excerpt(ctx, env.Temp, found.Files[0], to, sqlite.Rows{
		ID: found.ID, Own: []sqlite.Column{column("session", "id")}, Names: []string{"session_id", "aggregate_id"},
		Links: []sqlite.Link{
			{Column: column("part", "message_id"), To: column("message", "id")},
			{Column: column("project", "id"), To: column("session", "project_id")},
			{Column: column("workspace", "id"), To: column("session", "workspace_id")},
		},
	})
	if errors.Is(err, sqlite.ErrNoRows) {
		return "", sources.ErrGone
	}
	name := filepath.Base(found.Files[0])
	if !named(name) { // by OPENCODE_DB
		name = "opencode.db"
	}
	return filepath.Join(dataDir(env), name), err
}

// Lacks tells whether messages or parts of them are gone.
func (Source) Lacks(ctx context.Context, now, before string) (bool, error) {
	ids := []string{"id"}
	return sqlite.Lacks(ctx, now, before, []sqlite.Key{{Table: "message", Columns: ids}, {Table: "part", Columns: ids}, {Table: later, Columns: ids}})
}

// named tells that a database has a name by which it is found.
func named(name string) bool {
	return strings.HasPrefix(name, "opencode") && strings.HasSuffix(name, ".db")
}

// besideDatabase are the files with the whole of an output that the parts of a session in a database name, and what of it is in files.
func (s Source) besideDatabase(ctx context.Context, env sources.Env, found sources.Found, tree *glean.Tree) []string {
	db, release, err := s.Databases.Open(ctx, env.Temp, found.Files[0])
	if err != nil {
		return nil // told of when the database is read
	}
	defer func() { _ = release() }() // the copy is removed once more with its directory
	t, err := openTables(ctx, db)
	if err != nil {
		return nil
	}
	t.id = found.ID
	if at, is := t.unmoved(ctx, tree, found.ID); is {
		return at.files(tree, found.ID).all(env)
	}
	if t.empty(ctx, found.ID) {
		_, err := filesIn(tree, layout{base: "storage"}.files(tree, found.ID).messageDir)
		env.Unseen(err)
	}
	var messages, all []string
	look := func(r row) error { all = append(all, spilledIn(tree, r.data)...); return nil }
	_ = t.messages(ctx, func(r row) error { messages = append(messages, r.id); return nil }) // as above
	for _, id := range messages {
		_ = t.parts(ctx, id, look) // as above
	}
	slices.Sort(all)
	return slices.Compact(all)
}
