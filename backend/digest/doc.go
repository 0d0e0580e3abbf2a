// Package digest reads a log of ours once, an own one or the reading of another agent's, and makes of it what the index keeps: a
// [Digest], which answers for lists, statistics and the ledger without the log, and the log's texts, each with its place. It reads
// from any [io.ReaderAt] and touches nothing else.
//
// What became of each line is in the digest as runs of lines ([Spans]), so that a search can say of a hit whether the model still
// sees it. Runs change when something is appended that reaches back; texts don't. So [Continue] reads only what is new if that can't
// have changed anything before it, and says [ErrAnew] if it can.
//
// A digest has lists that grow with what was said. All but their ends are put away beside it ([Digest.PutAway]): whoever appends needs only the
// rest.
//
// Memory is bounded by the longest record: what is remembered of each line is in a scratch file, and so, for who asks for that
// ([Options.Early]), is what is put away of the names of the records, 6 bytes for each, and of what is counted of each, a dozen bytes more, where
// others may have copied it without a word. What became of the lines, where it changes from one to the next, is held.
package digest
