// Package codex reads the sessions of OpenAI's Codex: its rollout files, of every generation.
//
// A rollout says most things twice, as items that the model saw and as events for the screen. The items are the conversation here.
// Events are left out where they repeat it: user_message, agent_message and agent_reasoning, what item_completed and the begin and
// end of commands tell, token counts (which become usage), world_state and thread_settings_applied. The rest of what is no item is
// kept as notes that the model never saw.
//
// An entry's id is its ordinal, which is also its line where there are no ordinals yet, so that it survives Codex's rewriting of
// older files. A fork begins with the lines of its parent, whose tokens are the parent's. A revert is a further file of the same
// thread; it becomes a branch.
package codex

import (
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sqlite"
)

// Source is the sessions of Codex.
type Source struct {
	// Databases keeps copies between calls; nil copies for each.
	Databases *sqlite.Cache
}

var _ sources.Source = Source{}

const agent = "codex"

// Agent is Codex's name in ids.
func (Source) Agent() string { return agent }

// Capabilities says what is known of Codex's sessions.
func (Source) Capabilities() []sources.Capability {
	return []sources.Capability{
		{What: "messages", How: sources.Shown},
		{What: "thinking", How: sources.Shown, Note: "its summaries; the whole is encrypted, and stays so"},
		{What: "tool calls", How: sources.Shown},
		{What: "tool errors", How: sources.Inferred, Note: "from exit codes and from the words that Codex itself answers with"},
		{What: "images", How: sources.Shown},
		{What: "usage", How: sources.Shown, Note: "from about 0.30 on; what was written to a cache, later", Tokens: record.AllTokens &^ record.CacheWriteTokens},
		{What: "cost", How: sources.Missing},
		{What: "model", How: sources.Shown, Note: "from about 0.30 on"},
		{What: "cwd", How: sources.Shown, Note: "in the first versions only where the environment was told"},
		{What: "title", How: sources.Shown, Note: "the name given; Codex makes none of its own"},
		{What: "parent", How: sources.Shown, Note: "of forks", Anew: true},
		{What: "sub-agents", How: sources.Shown},
		{What: "branches", How: sources.Shown, Note: "rollbacks and reverts"},
		{What: "compactions", How: sources.Shown, Note: "what set one off is not in the files; a summary made by the provider is encrypted"},
		{What: "injected", How: sources.Shown, Note: "before labels were written, recognised by how it begins"},
		{What: "version", How: sources.Shown, Note: "of the one that began the session; not in the first versions"},
	}
}
