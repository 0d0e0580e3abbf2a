package openclaw

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sqlite"
)

// Source is the sessions of OpenClaw or of its fork.
type Source struct {
	// Fork tells that they are CoderClaw's.
	Fork bool
	// Databases keeps copies between calls; nil copies for each.
	Databases *sqlite.Cache
}

var _ sources.Source = Source{}

// Agent is openclaw or coderclaw.
func (s Source) Agent() string {
	if s.Fork {
		return "coderclaw"
	}
	return "openclaw"
}

// Capabilities says what is known of these sessions. The fork has no databases, which alone tell of a version.
func (s Source) Capabilities() []sources.Capability {
	parent := sources.Capability{What: "parent", How: sources.Shown, Note: "since 2026.7; before, of forks only"}
	version := sources.Capability{What: "version", How: sources.Shown, Note: "since 2026.7"}
	thinking := sources.Capability{What: "thinking", How: sources.Shown, Note: "older models of Claude, and all behind GitHub Copilot, are not sent it again"}
	if s.Fork {
		parent.Note, thinking.Note = "of forks", ""
		version = sources.Capability{What: "version", How: sources.Missing}
	}
	return []sources.Capability{
		{What: "messages", How: sources.Shown},
		thinking,
		{What: "tool calls", How: sources.Shown},
		{What: "tool errors", How: sources.Inferred, Note: "some versions tell only the exit code"},
		{What: "images", How: sources.Shown},
		{What: "usage", How: sources.Shown, Note: "0 is taken as unknown", Tokens: record.AllTokens &^ record.CacheWriteTokens},
		{What: "cost", How: sources.Shown, Note: "as the gateway worked it out; 0 is taken as unknown"},
		{What: "model", How: sources.Shown},
		{What: "cwd", How: sources.Shown},
		{What: "title", How: sources.Shown, Note: "the label or name of the conversation, of its current session only; one given within a transcript, if it stands near either end of that"},
		parent,
		{What: "sub-agents", How: sources.Shown},
		{What: "branches", How: sources.Shown},
		{What: "compactions", How: sources.Shown, Note: "what set one off is not told; output cut for one request is not in the transcripts"},
		{What: "injected", How: sources.Inferred, Note: "told from the text; the system prompt is not kept"},
		version,
	}
}

// Read reads a session.
func (s Source) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	if len(found.Files) == 0 {
		return sources.ErrGone
	}
	if found.Problem != "" {
		return errors.New(found.Problem)
	}
	from, id, db, release, err := s.open(ctx, env, &found)
	if err != nil {
		return err
	}
	defer func() { _ = release() }() // the copy is removed once more with its directory
	if err := read(ctx, s.Agent(), id, from, log); err != nil {
		return fmt.Errorf("reading %s: %w", found.Files[0], db.Why(err))
	}
	return log.Err()
}

// open finds the events of a session, and the id that they are under. Release is to be called when they were read.
func (s Source) open(ctx context.Context, env sources.Env, found *sources.Found) (from events, id string, db sqlite.Database, release func() error, err error) {
	if !inDatabase(found) {
		return transcript(found.Files[0]), rowOf(found), db, func() error { return nil }, nil
	}
	if db, release, err = s.Databases.Open(ctx, env.Temp, found.Files[0]); err != nil {
		return nil, "", db, nil, err
	}
	if from, id, err = eventsOf(ctx, db, found.Files[0], rowOf(found)); err != nil {
		return nil, "", db, nil, errors.Join(db.Why(err), release())
	}
	return from, id, db, release, nil
}

func inDatabase(found *sources.Found) bool { return strings.HasSuffix(found.Files[0], ".sqlite") }
