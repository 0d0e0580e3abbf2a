// Package copies holds copies of sessions that other agents may delete.
//
// A copy is what the files of a session were, byte for byte; of a session that stands in a database with others, a database that has
// nothing but its rows. Each file is kept once under the SHA-256 of what it holds
// (objects/ab/abcd…), however many copies have it, and a copy is a list of files: where each stands below a home directory, and its
// sum. What was kept is checked against its sum whenever it is used. A copy that is made again mends what was damaged and takes the place of
// the one before; a list that can't be read is set aside, and that of a newer version left as it is. Where the one before
// holds something else, too, it is set aside as a copy of its own: an agent that began a file anew, or deleted rows, must not take
// away what was kept, and what has come since is kept as well. Files of lines are compared line by line, packed or not, databases by their
// rows, and all else by what is said in it. Both are whole; what of one follows on the other only the agent knows.
//
// Everything is written beside its place, synced and renamed, objects before the list that names them. A copy is there whole or not at
// all.
package copies
