package opencode

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/sqlite"
)

// When opencode moved the sessions of earlier versions into its database, it passed over messages that it could not take. Their files stay.

// unmoved is where files have messages of a session of which the database has none.
func (t *tables) unmoved(ctx context.Context, tree *glean.Tree, id string) (at layout, is bool) {
	if tree == nil || id == "" || filepath.Base(id) != id {
		return at, false
	}
	at, is = inFiles(tree, id)
	return at, is && t.empty(ctx, id)
}

// empty tells that the database has no messages of a session.
func (t *tables) empty(ctx context.Context, id string) bool {
	return t.none(ctx, "message", id) && t.none(ctx, later, id)
}

// inFiles is the layout that has messages of a session.
func inFiles(tree *glean.Tree, id string) (layout, bool) {
	all := []layout{{base: "storage"}}
	projects, _ := tree.ReadDir("project") // it is not there, as a rule
	for _, project := range projects {
		all = append(all, layout{filepath.Join("project", project.Name(), "storage", "session"), true})
	}
	at := slices.IndexFunc(all, func(l layout) bool {
		names, _ := filesIn(tree, l.files(tree, id).messageDir) // what can't be looked into has none that can be read
		return len(names) > 0
	})
	if at < 0 {
		return layout{}, false
	}
	return all[at], true
}

// none tells that a table has no rows of a session, as far as it can be read.
func (t *tables) none(ctx context.Context, table, id string) bool {
	has, err := sqlite.Columns(ctx, t.db.DB, table)
	if err != nil || !slices.Contains(has, "session_id") {
		return err == nil
	}
	var some bool
	err = t.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM "+table+" WHERE session_id = ?)", id).Scan(&some)
	return err == nil && !some
}

// peekUnmoved is peek of a session of which the database has no messages, and files have some.
func (t *tables) peekUnmoved(ctx context.Context, tree *glean.Tree, f *sources.Found) {
	at, is := t.unmoved(ctx, tree, f.ID)
	if !is {
		return
	}
	base, err := tree.Sub(at.base)
	if err != nil {
		return // reading the session tells of it
	}
	defer base.Close()
	peekFiles(noted{base: base, old: at.old, file: f.ID + ".json"}, f)
}

// fromFiles says that what follows stands in files, and which.
func fromFiles(log *sources.Log, from files) {
	where, _ := json.Marshal(map[string]string{"folder": filepath.ToSlash(from.messageDir)}) // a text can always be written
	log.Note(sources.Note{Meta: sources.Meta{Entry: "files"}, Namespace: "opencode.from_files", Display: true, Data: where})
}
