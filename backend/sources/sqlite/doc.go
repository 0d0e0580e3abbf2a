// Package sqlite opens the databases of other agents, while those agents are writing them, without a trace.
//
// SQLite never opens a database where it is: it would make files beside it, take locks, and may move what is in the write-ahead
// log into the main file. For a quick question [Cache.InPlace] reads the pages that it takes, from the main file and the log as they
// are, and asks once more if they were not of one moment. For all else the files are copied into a directory of ours, together and at
// one moment as far as SQLite's own rules go, and the copy is opened. [Cache] keeps a copy as long as its source stays what it was, so a
// database of gigabytes is copied once and not for each of its sessions. Copies may hold what others keep secret: they are readable by
// the user only, and gone after use. What a killed process leaves is for its successor to remove: the directory for copies should be for
// nothing else.
//
// A file may have been cut. The pages that are there are read, and what leads to one that is not is an error: see [Database].
package sqlite
