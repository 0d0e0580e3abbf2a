// Package session is the log on disk: one directory a session, with an append-only session.jsonl, a metadata.json that
// can be rebuilt from it, blobs, and a lock.
//
//	{home}/sessions/{ULID}/session.jsonl   never rewritten, never truncated
//	{home}/sessions/{ULID}/metadata.json   replaced atomically
//	{home}/sessions/{ULID}/blobs/{sha256}
//	{home}/sessions/{ULID}/lock            one writer across processes
//	{home}/keys/                           which session a key has now; disposable
//	{home}/trash/{ULID}/                   deleted sessions, whole
//
// # Reading
//
// Readers take no lock. A line counts once it is whole: a proper prefix of a JSON object is never itself one, so half
// a record can't be mistaken for a record, with or without its newline. Order is the order of the file. [Reverse] reads
// from the end, [Index] from the start; both judge damage by the same rule ([Damage]) and neither holds more than the
// line in hand and what it was asked to collect.
//
// # Writing
//
// [Store.Append] takes the session's place in line within this process, then the lock against others, reads the
// durable tail for the next seq, checks the whole batch, and writes each record with one write on a file opened with
// O_APPEND. Nothing is acknowledged before it is synced. A tail without its newline gets one first, in the same write
// as the record, so that torn bytes become a damaged line of their own and the new record stays whole.
//
// What may go wrong and what then holds: a write cut short leaves a torn tail and an error, unless only the newline is
// missing; a failed sync leaves records that may or may not survive a power cut, and an error that says so; a process
// killed at any moment leaves at most one torn line. None of these is repaired by rewriting.
package session
