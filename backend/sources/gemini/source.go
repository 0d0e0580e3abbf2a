package gemini

import (
	"context"
	"path/filepath"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// Source is the sessions of Gemini CLI.
type Source struct{}

var _ sources.Source = Source{}

// Agent is gemini.
func (Source) Agent() string { return "gemini" }

// Capabilities says what is known of Gemini's sessions.
func (Source) Capabilities() []sources.Capability {
	return []sources.Capability{
		{What: "messages", How: sources.Shown},
		{What: "thinking", How: sources.Shown, Note: "as the summaries that the model gives of it; Gemini CLI never sends them again"},
		{What: "tool calls", How: sources.Shown},
		{What: "tool errors", How: sources.Shown, Note: "of a command by the exit code in its output"},
		{What: "images", How: sources.Shown},
		{What: "usage", How: sources.Shown, Note: "a resumed session has lost that of some answers; never what was written to a cache", Tokens: record.AllTokens &^ record.CacheWriteTokens},
		{What: "cost", How: sources.Missing},
		{What: "model", How: sources.Shown},
		{
			What: "cwd", How: sources.Inferred, Note: "from the list of projects, from the context that the session begins with, or from the " +
				"hash of the project: that of a folder that is trusted, or that a file is in which was read or written",
		},
		{What: "title", How: sources.Shown, Note: "a summary, where the version makes one"},
		{What: "parent", How: sources.Inferred, Note: "of what was saved with /chat, by its first prompt"},
		{What: "sub-agents", How: sources.Inferred, Note: "from the folder that they are in"},
		{What: "branches", How: sources.Inferred, Note: "what was taken back, or erased by an error"},
		{What: "compactions", How: sources.Inferred, Note: "since 0.40, from the list of messages that replaced the one before"},
		{What: "injected", How: sources.Inferred, Note: "the context at the beginning and the contents of files named with @; the system prompt is not kept"},
		{What: "version", How: sources.Missing},
	}
}

// Read reads a session.
func (s Source) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	_, err := s.Follow(ctx, env, found, log)
	return err
}

// projectOf is the folder of the project that a session's file belongs to: the one that chats is in, or else the file.
func projectOf(path string) string {
	for dir := filepath.Dir(path); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "chats" {
			return filepath.Dir(dir)
		}
	}
	return filepath.Dir(path)
}
