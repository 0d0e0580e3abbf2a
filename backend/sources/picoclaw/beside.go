package picoclaw

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sqlite"
)

var _ sources.ExcerpterBeside = Source{}

// Beside is what stands beside the messages of a session, and the database that says what the model sees of them.
func (s Source) Beside(ctx context.Context, env sources.Env, found sources.Found) []string {
	path := found.Files[0]
	stem, is := strings.CutSuffix(path, ".jsonl")
	if !is {
		return nil
	}
	beside := []string{stem + ".meta.json"}
	look := env
	look.Denied = nil // what the settings say is none of its
	r, err := s.recall(ctx, look, path, namesOf(&found, readMeta(path)))
	env.Deny(err) // what is damaged is told of when the session is read
	if r != nil && err == nil {
		beside = append(beside, r.path)
		r.close()
	}
	return beside
}

// namesOf are what the database may call a session.
func namesOf(found *sources.Found, m meta) []string {
	return append([]string{cmp.Or(found.Row, found.ID)}, m.aliases...)
}

// ExcerptBeside writes a database with what is in that of one session.
func (s Source) ExcerptBeside(ctx context.Context, env sources.Env, found sources.Found, path, to string) (string, error) {
	if filepath.Base(path) != seahorse {
		return "", nil
	}
	r, err := s.recall(ctx, env, found.Files[0], namesOf(&found, readMeta(found.Files[0])))
	if err != nil {
		return "", err
	}
	if r == nil || r.path != path {
		return "", sources.ErrGone
	}
	defer r.close()
	column := func(table, name string) sqlite.Column { return sqlite.Column{Table: table, Name: name} }
	link := func(table, name, to string) sqlite.Link {
		return sqlite.Link{Column: column(table, name), To: column(to, name)}
	}
	err = s.Databases.Excerpt(ctx, env.Temp, path, to, sqlite.Rows{
		ID: r.name, Own: []sqlite.Column{column("conversations", "session_key")},
		Links: []sqlite.Link{
			link("messages", "conversation_id", "conversations"), link("message_parts", "message_id", "messages"),
			link("summaries", "conversation_id", "conversations"), link("summary_parents", "summary_id", "summaries"),
			link("summary_messages", "summary_id", "summaries"), link("context_items", "conversation_id", "conversations"),
		},
	})
	return path, err
}

// Lacks tells whether messages or summaries are gone.
func (Source) Lacks(ctx context.Context, now, before string) (bool, error) {
	return sqlite.Lacks(ctx, now, before, []sqlite.Key{
		{Table: "messages", Columns: []string{"message_id"}}, {Table: "summaries", Columns: []string{"summary_id"}},
	})
}
