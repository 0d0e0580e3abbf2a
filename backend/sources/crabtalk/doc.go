// Package crabtalk reads the sessions of CrabTalk, which was openwalrus before, in the forms it has had:
//
//   - a JSONL file for each session (to 0.0.20), with metadata in the first line, and a title that changes the file's name;
//   - a folder for each (0.0.21 and 0.0.22), with the metadata and each record in a file of its own;
//   - a SQLite database, with tables for messages and for what is told of runs, and later with one for keys and values, under any name;
//   - one file of keys and values for all (since), records appended, the newest for a key being the one that holds;
//   - a folder for each, with the metadata in one file, messages and what is told of runs in others, line by line; the program for code has
//     these beside the store, and calls a session by the directory that it works in.
//
// Records have no type: one with the key compact is a compaction, one with event tells of a run, and all else is a message, in the form
// of OpenAI or in that of Anthropic. Messages have no time and no model; what the end of a run tells is put to the last answer of it.
// In the last two forms what was compacted is gone, and the archive is what is left of it. Its text, as that of all compactions since 0.0.21,
// is in the agent's memory, which is a file of its own, one for each entry, or in the store.
package crabtalk
