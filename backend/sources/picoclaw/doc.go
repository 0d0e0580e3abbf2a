// Package picoclaw reads the sessions of PicoClaw: a JSONL file of messages with a file of metadata beside it, or, of early versions,
// one JSON object with both.
//
// PicoClaw forgets: when it has summarized the beginning of a conversation, it takes those messages out of the file. What is left begins
// with a compaction that has the summary. Only between the two, or after a crash, the messages are still there, hidden by a count of
// lines; they are then read as what the compaction stands for.
package picoclaw
