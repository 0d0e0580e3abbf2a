package glean

import "palimpsest/backend/record"

// Pi and the programs built on it say summaries to the model with these words around them.
var (
	// Compacted is of what was before a compaction.
	Compacted = &record.Frame{
		Before: "The conversation history before this point was compacted into the following summary:\n\n<summary>\n", After: "\n</summary>",
	}
	// CameBack is of a branch that the conversation came back from.
	CameBack = &record.Frame{
		Before: "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n", After: "</summary>",
	}
)
