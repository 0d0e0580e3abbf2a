// Package claudecode reads the sessions of Claude Code.
//
// A file is a forest of rows. All of its conversation is read, in the order of the file; where a row goes on from another place than
// the end, a branch says so, so that what was rewound is there and off the path. Results of parallel calls are no branches, though they
// hang below different rows. An answer is one row for each block: the rows of one message id become one message. A row that is there again
// with the same uuid is read once, at its first place and as the last has it. A row whose parent was never written goes on where the file
// stands: Claude Code itself would lose what is before it. What a subagent said in the file of the session that started it is a session of
// its own.
//
// What was said has a name that is the same in all files that have a copy of it: an answer that of its server, with the number of its
// request, all else the id of its row. So it is counted once, whether a file says where it has it from or not.
//
// Left out, since they repeat the conversation or tell nothing of it: the requests as they were sent (api-request and its blobs and
// shapes), prompt_snapshot, progress, file-history-snapshot, last-prompt but where it says that the conversation was rewound, mode, permission-mode, tools-used, atis-latch, agent-name.
package claudecode

import (
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// Source is the sessions of Claude Code.
type Source struct{}

var _ sources.Source = Source{}

const agent = "claudecode"

// Agent is Claude Code's name in ids.
func (Source) Agent() string { return agent }

// Capabilities says what is known of Claude Code's sessions.
func (Source) Capabilities() []sources.Capability {
	return []sources.Capability{
		{What: "messages", How: sources.Shown},
		{What: "thinking", How: sources.Shown, Note: "where Claude Code wrote it down; often there is only a signature"},
		{What: "tool calls", How: sources.Shown},
		{What: "tool errors", How: sources.Shown},
		{What: "images", How: sources.Shown},
		{What: "usage", How: sources.Shown, Note: "not of what a fork has copied", Tokens: record.AllTokens},
		{What: "cost", How: sources.Missing, Note: "newer versions note a total now and then, not the cost of each answer"},
		{What: "model", How: sources.Shown},
		{What: "cwd", How: sources.Shown},
		{What: "title", How: sources.Shown, Note: "the name given, or the one that Claude Code made, if it stands near either end of the file"},
		{What: "parent", How: sources.Inferred, Note: "of forks and of what goes on in another file, from the ids in rows; " +
			"a copy with other ids and other times is known by its answers: one without any counts for itself, and of two that both went on the one that did for longer is taken for the first", Same: true},
		{What: "sub-agents", How: sources.Inferred, Note: "from folders, notes beside their files and the ids in rows; of versions whose sub-agents are in the session's own file, by what the calls asked"},
		{What: "branches", How: sources.Inferred, Note: "from the parents of rows"},
		{What: "compactions", How: sources.Shown},
		{What: "injected", How: sources.Inferred, Note: "by marks on rows and by how they begin; reminders are in the files since about 2.1"},
		{What: "version", How: sources.Shown},
	}
}
