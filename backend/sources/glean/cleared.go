package glean

// Cleared is what Claude Code and opencode tell the model in the place of output that was cleared.
const Cleared = "[Old tool result content cleared]"
