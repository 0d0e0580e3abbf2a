// Package library knows the sessions that other agents left on this machine: it finds them, and keeps a reading of each that was asked
// for.
//
// # Finding
//
// What was found is in memory, by agent and id. [Library.List] searches every source anew, sources side by side and files of a source,
// too. What a file told is remembered as long as its size and time stay ([sources.Memory]), so that it is only looked at. What takes
// longer than a list may is put off until somebody has the time for it ([Library.CatchUp]). A search that fails takes nothing away: what
// its source had found before stays, and what is wrong is told beside it. Whoever asks for one session gets it from what is known; a
// source is searched for it if the session is not known, or if the last search is older than a second and ten times what it took, so that
// searching never takes more than a tenth of the time.
//
// # Readings
//
// A reading is a session as [session.Store] has them, in a store of its own in the cache directory, made by a source in one pass. It never
// changes: its id is made of the ref and of what the files were like (names, sizes, times) and what was found, so that a session that
// changed has another reading, and two processes that read the same do the same. Deleting the cache loses nothing. A reading takes
// the place of an earlier one of its session, and those that nobody used for a month, or that are beyond a bound together, go.
//
// In a program that stays, the readings made last are grown where their source is a [sources.Follower], as those are that append lines to a file
// and seldom change what stands there, and as opencode and OpenClaw, whose databases note what is written to them (the rows of others, and of earlier
// versions, are read anew): the one of what a session has become goes on in the log of the one before, with what the source reads of the rest
// ([session.Store.Grow]). Who uses the one before takes as much of the log as its metadata tells of, and a process that is killed leaves nothing
// half made. Its end may be so only as long as the session ends there, as an answer is that may go on: where that is another one then, the reading
// begins with a copy of what stands whatever follows, and is counted as what it is, but nothing of the session is read again.
//
// An append to a file costs what is new: of what stands before it, the ends and some windows are compared, the next ones each time. What is edited in
// place in a large file, in the moment between two looks and with something that is appended, may so be found only some appends later, or
// when somebody opens the session again or another program comes upon the reading: then all of it is compared, as package edge has it.
//
// # Tails
//
// A program that starts anew need not read a session again that was appended to: of one of some megabytes what its reader knew at the end is
// kept in the cache ([Library.KeepTail]), a few percent of what it read, and the next program takes that up ([Library.RecallTail]). It is taken
// up if the code that reads is the same, the file is the same one, and no shorter, and the windows that an append compares are what they were; who
// has a digest compares what leads from one to the other, too. Anything else, and anything that is damaged, and the session is read from its
// beginning. One that nobody wrote to for a week has no tail. A tail is written anew when the session has grown by as much as it takes,
// so that writing it costs no more than the session's own writing does, and who takes it up reads twice as much at most.
//
// # Excerpts
//
// A large session takes seconds to read, and somebody who opens it wants to see its end. [Library.Open] has the source read an excerpt: a
// file of the beginning and the end of the session's own, laid out as a home directory, with a line between them by which the end is
// found in what was read. It is in memory only and never stands for a reading, which is made in the background and told of
// ([Options.Told]). What its source can't read so, such as a file that is compressed or in one piece, is read whole. While a reading is
// made of what a session has become since the last one, that one does.
//
// Ids from outside never come near a path: they are looked up among what was found.
package library
