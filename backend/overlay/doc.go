// Package overlay turns a log into the context that a model sees. It is pure: records come in through [Log], which it
// reads from the end, and no file, clock or network is touched. Of records whose texts are left in the log, package many
// keeps what there is of each, so that memory need not hold it.
//
// [Resolve] works in three steps, each in a file of its own:
//
//   - path.go walks backward from the last record, following branches, and collects what is in range: everything
//     behind the newest compaction that was not reverted, and of what is before it all from its firstKeptSeq on. The
//     walk ends as soon as that is complete, so its cost is that of the context, not of the history.
//   - emit.go turns what was collected into messages: the summary first, then messages, branch summaries and notes in
//     path order, cleared tool results in place.
//   - valid.go makes the result one that a chat API accepts, whatever the log holds, and lists every step it took.
//
// Order is the order of the file; a seq is a name. A pointer means the nearest earlier record on the path that has that
// seq. Every rule can therefore be judged walking backward, on any sequence of records: disorder, gaps, duplicate
// seqs, cycles and dangling pointers included. Nothing recurses over the log.
package overlay
