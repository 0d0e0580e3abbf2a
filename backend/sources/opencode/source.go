package opencode

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/sqlite"
)

// Source is the sessions of opencode.
type Source struct {
	// Databases keeps copies between calls; nil copies for each.
	Databases *sqlite.Cache
}

var _ sources.Source = Source{}

// Agent is opencode.
func (Source) Agent() string { return "opencode" }

// Capabilities says what is known of opencode's sessions.
func (Source) Capabilities() []sources.Capability {
	return []sources.Capability{
		{What: "messages", How: sources.Shown},
		{What: "thinking", How: sources.Shown, Note: "what a provider encrypted is kept, but nobody can read it; other models are sent the rest as text"},
		{What: "tool calls", How: sources.Shown, Note: "the whole of a long output only as long as opencode keeps it, some days"},
		{What: "tool errors", How: sources.Shown, Note: "a command failed if its exit code says so"},
		{What: "images", How: sources.Shown},
		{What: "usage", How: sources.Shown, Note: "0 is taken as unknown", Tokens: record.AllTokens},
		{What: "cost", How: sources.Shown, Note: "as opencode worked it out; 0 is taken as unknown"},
		{What: "model", How: sources.Shown},
		{What: "cwd", How: sources.Shown},
		{What: "title", How: sources.Shown},
		{What: "parent", How: sources.Missing, Note: "a fork does not say what it was made from"},
		{What: "sub-agents", How: sources.Shown},
		{What: "branches", How: sources.Shown, Note: "a revert until the next prompt, which deletes what it took back"},
		{What: "compactions", How: sources.Shown},
		{What: "injected", How: sources.Inferred, Note: "what was put into a message; the system prompt and its reminders are not kept"},
		{What: "version", How: sources.Shown},
	}
}

// Read reads a session from where it was found.
func (s Source) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	if len(found.Files) == 0 {
		return sources.ErrGone
	}
	if found.Problem != "" {
		return fmt.Errorf("reading %s: %s", found.Files[0], found.Problem)
	}
	if inDatabase(&found) {
		return s.readDatabase(ctx, env, found, log)
	}
	return readFiles(ctx, env, found, log)
}

func inDatabase(found *sources.Found) bool { return filepath.Ext(found.Files[0]) != ".json" }

func (s Source) readDatabase(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	return s.within(ctx, env, found, func(in *inside) error { return in.read(ctx, log) })
}

// inside is what there is of one session in a database: its tables, what is noted of it, and the tree of opencode's data, nil if that is not there.
type inside struct {
	from    *tables
	session session
	tree    *glean.Tree
	// lost is why nothing is known of the session itself, and bare why there is no tree.
	lost, bare error
}

// read reads it.
func (in *inside) read(ctx context.Context, log *sources.Log) error {
	if in.lost != nil {
		log.Unread("what is noted of the session itself", in.lost)
	}
	if in.bare != nil {
		log.Unread("the folder with whole outputs", in.bare)
	}
	id := in.from.id
	if at, is := in.from.unmoved(ctx, in.tree, id); is {
		stays := at.files(in.tree, id)
		fromFiles(log, stays)
		return read(ctx, stays, in.session, in.tree, log)
	}
	return read(ctx, in.from, in.session, in.tree, log)
}

// within has do look at a session in a database as it is now.
func (s Source) within(ctx context.Context, env sources.Env, found sources.Found, do func(in *inside) error) error {
	db, release, err := s.Databases.Open(ctx, env.Temp, found.Files[0])
	if err != nil {
		return err
	}
	defer func() { _ = release() }() // the copy is removed once more with its directory
	in := &inside{}
	if in.from, err = openTables(ctx, db); err != nil {
		return err
	}
	if in.session, err = in.from.session(ctx, found.ID); err != nil {
		if errors.Is(err, sources.ErrGone) || ctx.Err() != nil {
			return err
		}
		in.lost, in.session = err, session{id: found.ID} // its messages may be there all the same
	}
	if in.tree, in.bare = glean.OpenTree(dataDir(env)); in.bare == nil {
		defer in.tree.Close()
	} else {
		in.tree = nil
	}
	questions := sqlite.QuestionsOf(db.DB)
	defer questions.Close()
	in.from.id, in.from.asked = found.ID, questions
	return db.Why(do(in))
}
