// Package inject builds what the model is told besides the conversation: the system prompt, the instructions that
// AGENTS.md files give, the environment, and what earlier sessions wrote down. It is built anew for every request, so
// that it is never older than the request and a compaction can't lose it, and it never enters the log.
//
//   - prompt.go has the program's own system prompt.
//   - agents.go finds AGENTS.md from the root of the repository, or the home directory, down to the session's folder.
//   - environment.go says where and when this is; git.go reads the branch without running git.
//   - memory.go recalls the newest files of the folder's memory directory, within a budget.
//   - file.go reads one text, never more than it may be and never from outside the folder that it belongs to.
//
// What can't be read is left out and said; nothing here fails a request.
package inject
