// Package picoclaw reads the sessions of PicoClaw: a JSONL file of messages with a file of metadata beside it, or, of early versions,
// one JSON object with both.
//
// PicoClaw forgets: when it has summarized the beginning of a conversation, it takes those messages out of the file. What is left begins
// with a compaction that has the summary. Only between the two, or after a crash, the messages are still there, hidden by a count of
// lines; they are then read as what the compaction stands for.
//
// Where its settings name seahorse, it forgets nothing: a database beside the files has all messages once more, and says which of them the
// model sees, and what summaries stand for the others. The file stays the transcript, and each summary is a compaction, made where the first
// message stands that is younger. What the two have differently, as after a turn that was broken off, is shown all the same. From what it
// is to see the model may get less: what no more fits into a request is left out of that, the oldest first, and nothing tells of it.
// A session with such a database is read anew when something came: rows say when they were made, and not that they were changed, and a new summary
// may be one of messages anywhere.
package picoclaw
