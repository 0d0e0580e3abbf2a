// Package opencode reads the sessions of opencode.
//
// There were three places: files below project/<name>/storage (to 0.5), files below storage/ (to 1.1), and a database (since 1.2),
// whose name depends on how opencode was installed. The one-time import into the database lost sessions and later versions have
// none, so all places are read, and a session that is in several is that of the database written last. What the database has of it counts;
// if that are no messages, those in files do.
//
// One message of opencode holds text, thinking, calls and their results as parts. It becomes one message of ours for each step, and
// one for each result. What was put into a user's message by the program (synthetic parts) is a note. Its compactions leave a mark,
// a user message, and a summary, an assistant's: together they are a compaction. A summary that answers anything else replaces nothing,
// and a compaction that failed may leave out messages all the same, which is an edit. Output that was cleared is a prune, and a revert
// that is not carried out yet a branch.
//
// A session in a database goes on where a reading of it ended if what is written is noted there, as event: one for each message or part that is
// written or taken away, under the next number. Then the messages of the last turn are read again, up to 64, and those behind. An event of a
// message before those, or of a kind that is not known, has all read anew; so does another number of messages, or of parts, which indexes tell:
// somebody wrote without noting it. Whoever changes a row that is older than that in its place, and notes nothing, is not seen until all is read.
// Versions that note nothing have no such rule: that a row says when it was written is seen only by a look at all rows.
//
// Left out: step-start and snapshot (ids of file states in a store of opencode's own), the events, which say it all a second time,
// and what is no part of a conversation: permissions, todos, shares, accounts.
package opencode
