// Package gemini reads the sessions of Gemini CLI: those of early versions, one JSON object that is written anew each time, and those
// since about 0.40, a JSONL file of messages and of changes to them.
//
// In such a file a message is written again when its calls have ended, the whole list of messages is replaced when a session is resumed,
// compressed or a turn failed, and everything from a message on can be taken back. The log has each message once, where it stood first
// and as it was last. What a replacement leaves out stays in the log, off the path: a list that is shorter is a branch, one with a new
// summary in it a compaction that has the new list in place of what was before. So is one that has messages of before behind a change,
// but as an edit, which is no compaction of Gemini's; of one in which only outputs were taken out, the log says what stands there instead.
// So a prompt that an error erased can still be read.
//
// What a person saved of a conversation under a name is in a file of its own, without anything but what was said, and is told of as a
// session that came from the one with the same beginning.
//
// Any change may be to a list that is as long as the file. What is written once more for that, in time and in the log, is in proportion to
// the file, and little of it is in one record: where an agent, or whoever wrote the file, changed a long list again and again, the log says
// from where on not every change is followed. What the list is at the end is always told.
//
// A file that grows is read on: only the last answer is read again with what follows, as long as that is no more than 4 MB. Where it is then another
// one, as it is with its calls, where a message before it is written again with other words or behind others, where the first patch comes, or one
// that has a summary come before what was read, all is read anew.
//
// Each resume begins a file with the context and nothing else; such files are not told of. Results stand twice, with the call and as a
// user's message; they are read once.
package gemini
