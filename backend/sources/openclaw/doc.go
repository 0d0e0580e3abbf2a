// Package openclaw reads the sessions of OpenClaw, and of CoderClaw, its fork.
//
// Each agent of an installation has a folder of sessions: sessions.json, an index by conversation that names only the current
// session of each, and a transcript for every session there ever was, some set aside as archives. Since 2026.7 the same is in a
// database for each agent; the files stay as they were until a repair moves them. Both are read, and the database wins.
//
// A transcript is a tree of entries as pi's is, with two things more: a leaf entry moves the place where the conversation goes on,
// and a reset begins a new context in the same file. A reset that keeps nothing is a branch from the beginning, one that keeps
// something has the form of a compaction with what it keeps in place of a summary, and counts as none: nothing was summarised.
//
// What the gateway says in the user's name (the flush of memory before a compaction, what follows one, heartbeats, events) is a note, and so
// is what only a person is shown, which the model never gets.
// An answer that was stopped is such a thing, too: it is not sent again.
// Lines are read on from where a reading of them ended, and so are the rows of a database that marks what is rewritten
// (transcript_rewrite_watermarks): each change of events that are there gives the session another generation, and has all read anew. 2026.9.6 does
// nothing else with them than add one under the next number; it takes both together for what tells whether it knows a transcript, too. Fewer rows
// than there were and another last one are seen without a mark, and other changes that somebody makes without one only when all is read.
//
// Tool output that is cut for a request is not in the transcripts. Left out: trajectories, which trace what is in the transcripts.
package openclaw
