// Package pi reads the sessions of pi, in all versions of its format up to 3, and by the rules of that what later ones wrote.
//
// A file is a tree of entries, the last of which is where the conversation stands. Entries are read in the order of the file; where one
// goes on from another place than the end, a branch says so. So every entry becomes at least one record, and an entry's last record is
// where its children go on. As with pi itself, an entry whose parent nobody can read begins anew. Of a file in another order than it was
// written in, or with an id that comes twice, the last record says what pi makes of all of it.
//
// A compaction keeps what follows an entry, as ours do. Where pi also puts a newer system message at the front, takes older ones out,
// or has edited what is kept, the compaction says what the context is instead. An edit of the context is such a compaction as well.
package pi

import (
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

const agent = "pi"

// Source is the sessions of pi.
type Source struct{}

var _ sources.Source = Source{}

// Agent is pi's name in ids.
func (Source) Agent() string { return agent }

// Capabilities says what is known of pi's sessions.
func (Source) Capabilities() []sources.Capability {
	return []sources.Capability{
		{What: "messages", How: sources.Shown},
		{What: "thinking", How: sources.Shown, Note: "what a provider redacted is not in the files"},
		{What: "tool calls", How: sources.Shown},
		{What: "tool errors", How: sources.Shown},
		{What: "images", How: sources.Shown},
		{
			What: "usage", How: sources.Shown, Tokens: record.AllTokens,
			Note: "what tools, summaries of branches and keeping a cache warm took stands where pi has it, and is in no sum",
		},
		{What: "cost", How: sources.Shown, Note: "as pi worked it out; 0 is taken as unknown"},
		{What: "model", How: sources.Shown},
		{What: "cwd", How: sources.Shown},
		{What: "title", How: sources.Shown, Note: "the name last given, if it stands near either end of the file"},
		{What: "parent", How: sources.Shown, Note: "of a fork"},
		{What: "sub-agents", How: sources.Missing},
		{What: "branches", How: sources.Shown},
		{What: "compactions", How: sources.Shown, Note: "what set one off is not in the files"},
		{What: "injected", How: sources.Inferred, Note: "the system prompt is in the files since 0.87; before, only what extensions put in"},
		{What: "version", How: sources.Missing, Note: "only that of the format"},
	}
}
